import type { Token, Tokens } from "marked";
import { mail } from "#brand/tokens.ts";
import { escapeHtml, Markup } from "#core/text/html.ts";
import { BUTTON } from "./mail-page.ts";
import { MessageRenderer, renderMarkdown } from "./message-renderer.ts";
import type { PlaceholderValues } from "./placeholders.ts";

const TEXT = `margin:0 0 16px;color:${mail.text};font-size:16px;line-height:1.6`;
const HEADING = `margin:32px 0 12px;color:${mail.heading};line-height:1.25;letter-spacing:-0.02em`;
const SIZES = ["28px", "22px", "18px"];

export function markdownToHtml(markdown: string, values: PlaceholderValues): Markup {
  return new Markup(renderMarkdown(markdown, new HtmlRenderer(values, escapeHtml)));
}

class HtmlRenderer extends MessageRenderer {
  /** A paragraph that consists of one bold link becomes a button. */
  override paragraph({ tokens }: Tokens.Paragraph): string {
    const button = tokens.length === 1 ? this.button(tokens[0] as Token) : undefined;
    if (button) return `<p style="margin:24px 0">${button}</p>\n`;
    return `<p class="text" style="${TEXT}">${this.parser.parseInline(tokens)}</p>\n`;
  }

  private button(token: Token): string | undefined {
    if (token.type !== "link") return undefined;
    const { href, tokens } = token as Tokens.Link;
    const url = this.safeUrl(href);
    const [label] = tokens;
    if (!url || tokens.length !== 1 || label?.type !== "strong") return undefined;
    return `<a href="${escapeHtml(url)}" style="${BUTTON}">${this.parser.parseInline((label as Tokens.Strong).tokens)}</a>`;
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const level = Math.min(depth, SIZES.length);
    const style = `${HEADING};font-size:${SIZES[level - 1]}`;
    return `<h${level} class="text" style="${style}">${this.parser.parseInline(tokens)}</h${level}>\n`;
  }

  override list({ ordered, items }: Tokens.List): string {
    const tag = ordered ? "ol" : "ul";
    const body = items.map((item) => this.listitem(item)).join("");
    return `<${tag} class="text" style="${TEXT};padding-left:24px">${body}</${tag}>\n`;
  }

  override listitem({ tokens }: Tokens.ListItem): string {
    return `<li style="margin:0 0 8px">${this.parser.parse(tokens)}</li>`;
  }

  override blockquote({ tokens }: Tokens.Blockquote): string {
    return `<blockquote style="margin:0 0 16px;padding-left:16px;border-left:3px solid ${mail.quiet}">${this.parser.parse(tokens)}</blockquote>\n`;
  }

  override hr(): string {
    return `<hr class="line" style="margin:32px 0;border:0;border-top:1px solid ${mail.line}">\n`;
  }

  override code({ text }: Tokens.Code): string {
    return `<pre class="text" style="${TEXT};font-family:monospace;white-space:pre-wrap">${this.filled(text)}</pre>\n`;
  }

  override codespan({ text }: Tokens.Codespan): string {
    return `<code style="font-family:monospace">${this.filled(text)}</code>`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const text = this.parser.parseInline(tokens);
    const url = this.safeUrl(href);
    return url ? `<a href="${escapeHtml(url)}" class="link" style="color:${mail.accent}">${text}</a>` : text;
  }
}
