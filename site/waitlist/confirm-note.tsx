import { Mail } from "lucide-react";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";

/**
 * Says the same for every address, so that it doesn't reveal who is on the list. Has a background, because lines can
 * run behind it. Is a plain form, because the page's script makes only specified calls.
 */
export function ConfirmNote({ email }: { email: string }) {
  return (
    <form
      method="post"
      action={MEMBERSHIP_PATH}
      className="confirm-note mt-4 grid grid-cols-[auto_1fr] gap-x-2.5 justify-self-center rounded-control border border-line bg-card px-4 py-2.5 text-sm leading-relaxed text-quiet"
    >
      <Mail className="mt-1 size-4 shrink-0 text-accent-far" strokeWidth={1.5} aria-hidden />
      <p id="confirm-note" className="wrap-anywhere">
        <strong className="text-text">Check your inbox.</strong> If {email} is new here, its link is on the way.
      </p>
      <button
        type="submit"
        name="email"
        value={email}
        className="col-start-2 cursor-pointer justify-self-start text-text underline underline-offset-4"
      >
        Send it again
      </button>
    </form>
  );
}
