/** Safe HTML. Text that a user typed becomes Markup only through `html`, which escapes it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insertion = string | number | Markup | Markup[];

/** A template tag that escapes its insertions unless they are Markup. */
export function html(parts: TemplateStringsArray, ...insertions: Insertion[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...insertions.map(render)));
}

function render(insertion: Insertion): string {
  if (Array.isArray(insertion)) return insertion.map(render).join("");
  return insertion instanceof Markup ? insertion.text : escapeHtml(String(insertion));
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
