import type { Tokens } from "marked";
import { MessageRenderer, renderMarkdown } from "./message-renderer.ts";
import type { PlaceholderValues } from "./placeholders.ts";

export function markdownToText(markdown: string, values: PlaceholderValues): string {
  const text = renderMarkdown(markdown, new TextRenderer(values));
  return text.replace(/\n{3,}/g, "\n\n").trim();
}

class TextRenderer extends MessageRenderer {
  override paragraph({ tokens }: Tokens.Paragraph): string {
    return `${this.parser.parseInline(tokens)}\n\n`;
  }

  override heading({ tokens }: Tokens.Heading): string {
    return `\n${this.parser.parseInline(tokens)}\n\n`;
  }

  override list({ ordered, start, items }: Tokens.List): string {
    const first = Number(start) || 1;
    const lines = items.map((item, index) => {
      const text = this.listitem(item).trim().replaceAll("\n", "\n  ");
      return `${ordered ? `${first + index}.` : "-"} ${text}\n`;
    });
    return `${lines.join("")}\n`;
  }

  override blockquote({ tokens }: Tokens.Blockquote): string {
    const lines = this.parser.parse(tokens).trim().split("\n");
    return `${lines.map((line) => `> ${line}`.trimEnd()).join("\n")}\n\n`;
  }

  override hr(): string {
    return "---\n\n";
  }

  override code({ text }: Tokens.Code): string {
    return `${this.filled(text)}\n\n`;
  }

  override table({ header, rows }: Tokens.Table): string {
    const lines = [header, ...rows].map((cells) =>
      cells.map(({ tokens }) => this.parser.parseInline(tokens)).join(" | "),
    );
    return `${lines.join("\n")}\n\n`;
  }

  override strong({ tokens }: Tokens.Strong): string {
    return this.parser.parseInline(tokens);
  }

  override em({ tokens }: Tokens.Em): string {
    return this.parser.parseInline(tokens);
  }

  override del({ tokens }: Tokens.Del): string {
    return this.parser.parseInline(tokens);
  }

  override br(): string {
    return "\n";
  }

  override link({ href, tokens }: Tokens.Link): string {
    const text = this.parser.parseInline(tokens);
    const url = this.safeUrl(href);
    if (!url || text === url || `mailto:${text}` === url || `${text}/` === url) return text;
    return `${text}: ${url}`;
  }
}
