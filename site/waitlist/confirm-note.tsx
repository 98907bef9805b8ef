import { Mail } from "lucide-react";

/** The same for every address: a known one gets no mail, and the page must not reveal which. */
export function ConfirmNote() {
  return (
    <p
      id="confirm-note"
      className="confirm-note flex justify-center gap-2.5 px-4 pt-5 text-sm leading-relaxed text-quiet"
    >
      <Mail className="mt-1 size-4 shrink-0 text-accent-far" strokeWidth={1.5} aria-hidden />
      <span className="text-balance">If this is a new address, check your inbox to confirm it.</span>
    </p>
  );
}
