import { Mail } from "lucide-react";

/**
 * The same for every address: a known one gets no mail, and the page must not reveal which. On a surface of its own,
 * because the backdrop's lines can run behind it.
 */
export function ConfirmNote() {
  return (
    <p
      id="confirm-note"
      className="confirm-note mt-4 flex gap-2.5 justify-self-center rounded-control border border-line bg-card px-4 py-2.5 text-sm leading-relaxed text-quiet"
    >
      <Mail className="mt-1 size-4 shrink-0 text-accent-far" strokeWidth={1.5} aria-hidden />
      <span className="text-balance">If this is a new address, check your inbox to confirm it.</span>
    </p>
  );
}
