import { useEffect, useRef, useState } from "react";
import * as content from "#brand/content.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { inboxOf, suggestAddress } from "./providers.ts";

const link = "cursor-pointer py-2 text-text underline underline-offset-4";

/**
 * Says the same for every address, so that it doesn't reveal who is on the list. A plain form requests another email,
 * because the specification limits the requests that the page's script makes.
 */
export function ConfirmNote({ email }: { email: string }) {
  const inbox = inboxOf(email);
  return (
    <form
      method="post"
      action={MEMBERSHIP_PATH}
      className="confirm-note mt-4 grid justify-items-center gap-2.5 card px-4 py-4.5 text-center text-balance text-quiet"
    >
      <div id="confirm-note" className="grid gap-1">
        <h3 className="font-semibold text-text">{content.inboxTitle}</h3>
        <p className="text-2xl font-semibold tracking-tight text-text">
          {email.slice(0, email.lastIndexOf("@"))}
          <wbr />
          {email.slice(email.lastIndexOf("@"))}
        </p>
        <p>{content.inboxText}</p>
      </div>
      <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 text-sm">
        {inbox && (
          <ButtonLink look="primary" href={inbox.url} target="_blank" rel="noreferrer">
            {content.openInbox} {inbox.name}
          </ButtonLink>
        )}
        <p>
          {content.nothingArrived}{" "}
          <button type="submit" name="email" value={email} className={link}>
            {content.sendAgain}
          </button>
        </p>
      </div>
    </form>
  );
}

/** Below the email's field. Checks the address on input and when a text field gets the focus, but not on clicks. */
export function SpellingHint() {
  const hint = useRef<HTMLSpanElement>(null);
  const [meant, setMeant] = useState<string>();
  const input = () => hint.current?.parentElement?.querySelector("input");
  useEffect(() => {
    const look = ({ target }: Event) => {
      if (target instanceof HTMLInputElement && target.type !== "checkbox")
        setMeant(suggestAddress(input()?.value ?? "", target === input()));
    };
    const stop = new AbortController();
    for (const event of ["input", "focusin"]) input()?.form?.addEventListener(event, look, stop);
    return () => stop.abort();
  }, []);
  function accept() {
    const field = input();
    if (field && meant) field.value = meant;
    field?.focus();
  }
  return (
    // While the hint is empty, it has no box, because a box would move the form.
    <span ref={hint} role="status" className={meant ? "text-sm text-quiet" : "contents"}>
      {/* In an element, because a browser's translation replaces the texts, and React can't remove lost text. */}
      {meant && (
        <span>
          {content.didYouMean}{" "}
          <button type="button" onClick={accept} className={link}>
            {meant}
          </button>
          ?
        </span>
      )}
    </span>
  );
}
