import { type SignUp, type SignUpInput, signUpSchema } from "#contract/sign-up.ts";

/** The message of each field that must be corrected. */
export type FieldErrors = { [name in keyof SignUpInput]?: string };

/** Reads the fields themselves, because password managers and browsers can fill them without an event. */
export function checkFields(form: HTMLFormElement): { signUp: SignUp | undefined; errors: FieldErrors } {
  const fields = new FormData(form);
  const { data: signUp, error } = signUpSchema.safeParse({
    ...Object.fromEntries(fields),
    newsletter: fields.has("newsletter"),
  });
  // A field can break several rules; its first message shows.
  const errors = error?.issues.map(({ path, message }) => [path[0], message]).reverse();
  return { signUp, errors: Object.fromEntries(errors ?? []) };
}

export function focusFirst(form: HTMLFormElement | null, errors: FieldErrors): void {
  const inputs = [...(form?.querySelectorAll("input") ?? [])];
  inputs.find(({ name }) => Object.hasOwn(errors, name))?.focus();
}
