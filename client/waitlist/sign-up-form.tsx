import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { type SignUp, type SignUpInput, signUpSchema } from "#contract/sign-up.ts";
import { Field } from "./field.tsx";
import type { Joining } from "./use-join.ts";

export function SignUpForm({ joining }: { joining: Joining }) {
  const { register, handleSubmit, formState } = useForm<SignUpInput, unknown, SignUp>({
    resolver: zodResolver(signUpSchema),
  });
  const field = (name: keyof SignUpInput) => ({ ...register(name), error: formState.errors[name]?.message });
  return (
    <form method="post" action={WAITLIST_PATH} noValidate onSubmit={handleSubmit(joining.join)} className="grid gap-4">
      <Field label="First name" autoComplete="given-name" {...field("firstName")} />
      <Field label="Last name" autoComplete="family-name" {...field("lastName")} />
      <Field label="Email" type="email" autoComplete="email" {...field("email")} />
      <Field label="Company (optional)" autoComplete="organization" {...field("company")} />
      <label className="flex gap-2">
        <input type="checkbox" {...register("newsletter")} />
        Send me product news and launch updates by email.
      </label>
      <div hidden>
        <label>
          Website <input type="text" tabIndex={-1} autoComplete="off" {...register("website")} />
        </label>
      </div>
      <button type="submit" disabled={joining.state === "submitting"} className="rounded-lg bg-text p-3 text-ground">
        {joining.state === "submitting" ? "Joining..." : "Join the Waitlist"}
      </button>
    </form>
  );
}
