import { useState } from "react";

/** A text to copy as a whole. */
export function Copyable({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="copyable">
      <textarea readOnly rows={8} aria-label={label} value={text} />
      <button type="button" onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}
