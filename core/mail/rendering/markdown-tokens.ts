import { Lexer, type TokensList } from "marked";

let last: { markdown: string; tokens: TokensList } | undefined;

/** Parses Markdown, and a message to many people only once. The renderers don't change the tokens. */
export function parseMarkdown(markdown: string): TokensList {
  if (last?.markdown !== markdown) last = { markdown, tokens: Lexer.lex(markdown) };
  return last.tokens;
}
