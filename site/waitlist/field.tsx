import { type ComponentProps, useId } from "react";

type FieldProps = ComponentProps<"input"> & { label: string; hint?: string; error: string | undefined };

export function Field({ label, hint, error, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="grid content-start gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        {label} {hint && <span className="font-normal text-quiet">({hint})</span>}
      </label>
      <input
        id={id}
        dir="auto"
        aria-invalid={error !== undefined}
        aria-describedby={error && `${id}-error`}
        className="text-input"
        {...input}
      />
      {error && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
