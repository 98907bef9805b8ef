import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type FieldErrors, type ResolverResult, useForm } from "react-hook-form";
import * as content from "#brand/content.ts";
import { FORM_ERRORS } from "#contract/form-errors.ts";
import { MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { NEWSLETTER_CONSENT, type SignUp, type SignUpInput, signUpSchema } from "#contract/sign-up.ts";
import { Button } from "#site/ui/button.tsx";
import { Field } from "./field.tsx";
import { Honeypot } from "./honeypot.tsx";
import { keepTyped } from "./keep-typed.ts";
import { NOT_YET } from "./native-submit.ts";
import type { FormState } from "./use-join.ts";

interface SignUpFormProps {
  state: Exclude<FormState, "joined">;
  refused: FieldErrors<SignUpInput>;
  /** Below the email's field. */
  hint: ReactNode;
  onValid: (signUp: SignUp, submittedAt: number) => void;
}

/** Without JavaScript, the browser checks these before it posts the form, because afterward the fields are empty. */
const REQUIRED: { [name in keyof SignUpInput]?: string } = {
  firstName: FORM_ERRORS["first-name-missing"],
  lastName: FORM_ERRORS["last-name-missing"],
  email: FORM_ERRORS["email-invalid"],
};

/** Without JavaScript, the form posts to the API, so that no name gets into a URL. */
export function SignUpForm({ state, refused, hint, onValid }: SignUpFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { register, handleSubmit, formState, setError } = useForm<SignUpInput, unknown, SignUp>({
    // Reads the fields themselves, because password managers and browsers can fill them without an event.
    resolver: () => validate(new FormData(form.current ?? undefined)),
  });
  // Not useForm's option `errors`, because that would replace the errors of other fields.
  useEffect(() => {
    for (const [i, name] of (Object.keys(refused) as (keyof SignUpInput)[]).entries()) {
      setError(name, refused[name] ?? {}, { shouldFocus: i === 0 });
    }
  }, [refused, setError]);
  const [focused] = useState(() => globalThis.document?.activeElement);
  useLayoutEffect(() => keepTyped(focused), [focused]);

  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state !== "submitting") return;
    // Restores the button's focus, which disabling it took away.
    return () => {
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    };
  }, [state]);

  const field = (name: keyof SignUpInput) => ({
    ...register(name),
    error: formState.errors[name]?.message,
    ifInvalid: state === "loading" ? REQUIRED[name] : undefined,
  });

  return (
    <form
      ref={form}
      method="post"
      action={WAITLIST_PATH}
      data-submitting={content.joining}
      noValidate={state !== "loading"}
      onSubmit={handleSubmit((signUp, event) => onValid(signUp, event?.timeStamp ?? performance.now()))}
      className="card grid content-start gap-5 p-6 sm:p-8"
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={content.firstName} autoComplete="given-name" {...field("firstName")} />
        <Field label={content.lastName} autoComplete="family-name" {...field("lastName")} />
      </div>
      <Field label={content.email} type="email" pattern=".+@.+\..+" autoComplete="email" {...field("email")}>
        {hint}
      </Field>
      <Field label={content.company} hint={content.optional} autoComplete="organization" {...field("company")} />
      <Honeypot {...register("website")} />
      <label className="flex gap-3 py-1 text-sm leading-relaxed text-quiet">
        <input type="checkbox" className="checkbox mt-0.5 size-5 shrink-0" {...register("newsletter")} />
        {NEWSLETTER_CONSENT.wording}
      </label>
      {/* Until hydration, a disabled first button hides the second. native-submit.ts may have changed both texts. */}
      <div className="grid *:[grid-area:1/1]">
        {state === "loading" && (
          <Button id={NOT_YET} look="primary" type="submit" disabled suppressHydrationWarning>
            {content.join}
          </Button>
        )}
        <Button ref={button} look="primary" type="submit" disabled={state === "submitting"} suppressHydrationWarning>
          {state === "submitting" ? content.joining : content.join}
        </Button>
      </div>
      <p className="text-sm leading-relaxed text-quiet">
        {`${content.purpose} `}
        <a href="#privacy" className="text-text underline underline-offset-4">
          {content.privacyLink}
        </a>
        <br />
        {`${content.alreadyOnList} `}
        <a href={MEMBERSHIP_PATH} className="text-text underline underline-offset-4">
          {content.memberLink}
        </a>
      </p>
    </form>
  );
}

/** Instead of @hookform/resolvers, which is 0.9 kB. A field can break several rules; its first message shows. */
function validate(fields: FormData): ResolverResult<SignUpInput, SignUp> {
  const { data, error } = signUpSchema.safeParse({
    ...Object.fromEntries(fields),
    newsletter: fields.has("newsletter"),
  });
  if (data) return { values: data, errors: {} };
  const errors = error.issues.map(({ path, message }) => [path[0], { type: "invalid", message }]);
  return { values: {}, errors: Object.fromEntries(errors.reverse()) };
}
