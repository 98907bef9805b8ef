import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import * as content from "#brand/content.ts";
import { FORM_ERRORS } from "#contract/form-errors.ts";
import { MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { NEWSLETTER_CONSENT, type SignUp, type SignUpInput } from "#contract/sign-up.ts";
import { Button } from "#site/ui/button.tsx";
import { checkFields, type FieldErrors, focusFirst } from "./check-fields.ts";
import { Field } from "./field.tsx";
import { Honeypot } from "./honeypot.tsx";
import { keepTyped } from "./keep-typed.ts";
import { NOT_YET } from "./native-submit.ts";
import type { FormState } from "./use-join.ts";

interface SignUpFormProps {
  state: Exclude<FormState, "joined">;
  refused: FieldErrors;
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
  // Undefined before the first submission, because until then nobody wants to be corrected.
  const [errors, setErrors] = useState<FieldErrors>();
  useEffect(() => {
    setErrors((others) => others && { ...others, ...refused });
    focusFirst(form.current, refused);
  }, [refused]);
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
    name,
    error: errors?.[name],
    ifInvalid: state === "loading" ? REQUIRED[name] : undefined,
  });

  return (
    <form
      ref={form}
      method="post"
      action={WAITLIST_PATH}
      data-submitting={content.joining}
      noValidate={state !== "loading"}
      onChange={({ currentTarget, target }) => {
        const name = target.name as keyof SignUpInput;
        const message = checkFields(currentTarget).errors[name];
        setErrors((others) => others && { ...others, [name]: message });
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const { signUp, errors } = checkFields(event.currentTarget);
        setErrors(errors);
        if (signUp) onValid(signUp, event.timeStamp);
        else focusFirst(form.current, errors);
      }}
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
      <Honeypot name="website" />
      <label className="flex gap-3 py-1 text-sm leading-relaxed text-quiet">
        <input type="checkbox" className="checkbox mt-0.5 size-5 shrink-0" name="newsletter" />
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
