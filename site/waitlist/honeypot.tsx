import type { ComponentProps } from "react";

/**
 * The field that must stay blank. Moved out of sight and not `hidden`, because bots skip what is hidden; out of the tab
 * order and hidden from assistive technology, because people should never meet it. Password managers are asked to pass.
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
