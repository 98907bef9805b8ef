import { type ComponentProps, useId } from "react";

type FieldProps = ComponentProps<"input"> & { label: string; error: string | undefined };

/** A labelled input with its error under it. */
export function Field({ label, error, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error && `${id}-error`}
        className="rounded-lg border border-white/20 p-3"
        {...input}
      />
      {error && (
        <p id={`${id}-error`} className="text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
