import type { ComponentProps } from "react";

/**
 * A field that must stay blank. Moved off screen, not `hidden`, because bots skip hidden fields; out of the tab order
 * and hidden from assistive technology, because people should never reach it. Password managers are asked to skip it.
 */
export function Honeypot(input: ComponentProps<"input">) {
  return (
    <div className="absolute -left-[9999px] size-px overflow-hidden" aria-hidden="true">
      <label>
        Website
        <input type="text" tabIndex={-1} autoComplete="off" data-1p-ignore data-lpignore="true" {...input} />
      </label>
    </div>
  );
}
