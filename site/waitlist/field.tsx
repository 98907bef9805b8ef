import { type ComponentProps, useId } from "react";

type Errors = Record<"error" | "ifInvalid", string | undefined>;
type FieldProps = ComponentProps<"input"> & Errors & { label: string; hint?: string };

/** `ifInvalid` makes the field required. CSS shows it when the browser, without JavaScript, rejects the field. */
export function Field({ label, hint, error, ifInvalid, children, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="grid content-start gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {hint && <span className="font-normal text-quiet">{` (${hint})`}</span>}
      </label>
      <input
        id={id}
        dir="auto"
        aria-invalid={error !== undefined}
        aria-describedby={error && `${id}-error`}
        required={ifInvalid !== undefined}
        className="text-input peer min-h-12 w-full px-4"
        {...input}
      />
      {children}
      {ifInvalid && <p className="hidden text-sm text-bad peer-user-invalid:block">{ifInvalid}</p>}
      {error && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
