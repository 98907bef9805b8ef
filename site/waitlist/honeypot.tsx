import type { ComponentProps } from "react";

/**
 * A field that must stay blank. It is off screen instead of `hidden`, because bots skip hidden fields. People should
 * never reach it, so tabbing, assistive technology and password managers skip it.
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
