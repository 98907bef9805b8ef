import { Bold, Heading, Italic, Link, List } from "lucide-react";
import type { RefObject } from "react";
import { Button } from "#console/app/ui/button.tsx";

/** The markup around the selection or, for formats without an `end`, before each selected line. */
const FORMATS = [
  { name: "Bold", icon: Bold, start: "**", end: "**" },
  { name: "Italic", icon: Italic, start: "*", end: "*" },
  { name: "Link", icon: Link, start: "[", end: "](https://)" },
  { name: "Heading", icon: Heading, start: "# " },
  { name: "List", icon: List, start: "- " },
];

export function MarkdownToolbar({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const insert = (start: string, end?: string) => {
    const text = field.current;
    if (!text) return;
    text.focus();
    if (!end) text.selectionStart = text.value.slice(0, text.selectionStart).lastIndexOf("\n") + 1;
    const from = text.selectionStart + (end ? start.length : 0);
    const selected = text.value.slice(text.selectionStart, text.selectionEnd);
    const marked = end ? selected : selected.replace(/^/gm, start);
    // Deprecated, but the only way to insert text that the browser can undo.
    document.execCommand("insertText", false, end ? start + marked + end : marked);
    text.setSelectionRange(from, from + marked.length);
  };
  return (
    <fieldset className="segments" aria-label="Formatting">
      {FORMATS.map(({ name, icon: Icon, start, end }) => (
        <Button key={name} title={name} aria-label={name} onClick={() => insert(start, end)}>
          <Icon size={14} aria-hidden />
        </Button>
      ))}
    </fieldset>
  );
}
