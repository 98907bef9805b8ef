import { Lexer, Parser, Renderer, type Tokens, type TokensList } from "marked";
import { fillIn, InvalidMessage, type PlaceholderValues } from "./placeholders.ts";

let last: { markdown: string; tokens: TokensList } | undefined;

/** Formatting characters. marked's time is quadratic in their number per paragraph: 0.2 s for 500, 4.9 s for 8,000. */
const DELIMITERS = /[*_~`[(<>!+]|[-.)]\s/g;
const MAX_DELIMITERS = 500;

/** Caches the last message, so that a bulk message is parsed only once. Renderers don't change the tokens. */
export function renderMarkdown(markdown: string, renderer: MessageRenderer): string {
  if (last?.markdown !== markdown) last = { markdown, tokens: parse(markdown) };
  return Parser.parse(last.tokens, { renderer });
}

function parse(markdown: string): TokensList {
  const counts = markdown.split("\n\n").map((paragraph) => paragraph.match(DELIMITERS)?.length ?? 0);
  if (counts.reduce((sum, count) => sum + count ** 2, 0) > MAX_DELIMITERS ** 2) {
    throw new InvalidMessage("The body has too many formatting characters. Use fewer, or split its paragraphs.");
  }
  return Lexer.lex(markdown);
}

/** Placeholders whose value is a URL, so that a link may point to them. */
const URL_PLACEHOLDER = /^\{\{\s*(inviteUrl|confirmUrl|pageUrl)\s*\}\}$/;
const SCHEMES = new Set(["https:", "mailto:"]);

/**
 * The base of the HTML and text renderers: raw HTML is shown as text, images are refused. Every piece of text is
 * encoded here, because marked passes raw HTML through.
 */
export class MessageRenderer extends Renderer {
  readonly values: PlaceholderValues;
  readonly encode: (text: string) => string;

  constructor(values: PlaceholderValues, encode = (text: string) => text) {
    super();
    this.values = values;
    this.encode = encode;
  }

  filled(text: string): string {
    return fillIn(text, this.values, this.encode);
  }

  /** A link's URL. Undefined for a disallowed scheme: then only the link's text is shown. */
  safeUrl(href: string): string | undefined {
    const address = href.replace(/%7B/gi, "{").replace(/%7D/gi, "}");
    // Other placeholders are personal data, which would tell the linked site who clicked.
    if (URL_PLACEHOLDER.test(address)) return fillIn(address, this.values);
    if (address.includes("{{")) throw new InvalidMessage(`A link can't contain a placeholder: ${address}`);
    const url = URL.parse(address);
    return url && SCHEMES.has(url.protocol) ? url.href : undefined;
  }

  override listitem({ tokens }: Tokens.ListItem): string {
    return this.parser.parse(tokens);
  }

  override codespan({ text }: Tokens.Codespan): string {
    return this.filled(text);
  }

  override image({ text }: Tokens.Image): string {
    throw new InvalidMessage(
      `An email can't have images, because many mail programs block them. Remove ![${text}](…).`,
    );
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return this.filled(text);
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? "[x] " : "[ ] ";
  }

  override text(token: Tokens.Text | Tokens.Escape): string {
    return "tokens" in token && token.tokens ? this.parser.parseInline(token.tokens) : this.filled(token.text);
  }
}
