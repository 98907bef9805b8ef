/** Text that is HTML already. What a stranger typed becomes it by way of `html` only. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insertion = string | number | Markup | Markup[];

/** A template whose insertions are escaped, unless they are markup themselves. */
export function html(parts: TemplateStringsArray, ...insertions: Insertion[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...insertions.map(written)));
}

function written(insertion: Insertion): string {
  if (Array.isArray(insertion)) return insertion.map(written).join("");
  return insertion instanceof Markup ? insertion.text : escaped(String(insertion));
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
