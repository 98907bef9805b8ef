import { useState } from "react";
import { Button } from "./button.tsx";

export function Copyable({ label, text, rows = 8 }: { label: string; text: string; rows?: number }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <div className="field">
      <textarea readOnly rows={rows} aria-label={label} value={text} />
      <Button className="button" onClick={copy}>
        {isCopied ? "Copied" : "Copy"}
      </Button>
    </div>
  );
}
