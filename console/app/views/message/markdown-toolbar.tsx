import { Bold, Heading, Italic, Link, List, type LucideIcon } from "lucide-react";
import type { RefObject } from "react";

interface Format {
  icon: LucideIcon;
  /** Stands around the selection. */
  around?: [before: string, after: string];
  /** Stands before each line of the selection. */
  before?: string;
}

const FORMATS: Record<string, Format> = {
  Bold: { icon: Bold, around: ["**", "**"] },
  Italic: { icon: Italic, around: ["*", "*"] },
  Link: { icon: Link, around: ["[", "](https://)"] },
  Heading: { icon: Heading, before: "# " },
  List: { icon: List, before: "- " },
};

export function MarkdownToolbar({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const insert = ({ around: [open, close] = ["", ""], before = "" }: Format) => {
    const text = field.current;
    if (!text) return;
    text.focus();
    if (before) text.selectionStart = text.value.slice(0, text.selectionStart).lastIndexOf("\n") + 1;
    const start = text.selectionStart;
    const chosen = text.value.slice(start, text.selectionEnd).replace(/^/gm, before);
    // Deprecated, but the only way that the browser can undo.
    document.execCommand("insertText", false, open + chosen + close);
    text.setSelectionRange(start + open.length, start + open.length + chosen.length);
  };
  return (
    <fieldset className="segments" aria-label="Formatting">
      {Object.entries(FORMATS).map(([name, { icon: Icon, ...format }]) => (
        <button
          key={name}
          type="button"
          title={name}
          aria-label={name}
          onClick={() => insert({ icon: Icon, ...format })}
        >
          <Icon size={14} aria-hidden />
        </button>
      ))}
    </fieldset>
  );
}
