import type { ReactNode } from "react";
import { type SiteNames, signInUrl } from "#console/app/http/session.ts";

const [DONE, FAILED] = ["/signed-out", "/sign-in-failed"];
/** The API redirects to these pages, even if the browser has a session. */
export const SIGNED_OUT_PATHS = [DONE, FAILED];

/** Why the provider or the console refused to sign someone in, by the reason in the URL. */
const FAILURES: Record<string, { title: string; text: ReactNode }> = {
  refused: {
    title: "You don't have access",
    text: "Your account works, but has no role here. Ask an admin of your team to get you one. They find the command under Team.",
  },
  unverified: {
    title: "Your address isn't verified",
    text: "Your company's sign-in didn't confirm that you own your email address. Ask the people who run it.",
  },
  "other-account": {
    title: "This address belongs to another account",
    text: (
      <>
        Someone else signed in with your address before. If your account was replaced, ask an admin of your team. An
        engineer can let the new one in: <code>waitlist console forget</code>
      </>
    ),
  },
  expired: {
    title: "Signing in took too long",
    text: "Finish within ten minutes, in the browser where you started.",
  },
  unavailable: {
    title: "Sign-in isn't available",
    text: "Your company's sign-in doesn't respond. Anyone already signed in can go on. Try again in a few minutes.",
  },
};
const UNKNOWN_FAILURE = { title: "Signing in failed", text: "Your company's sign-in sent an error." };

/** Shown without a session in a team's console. `hasEnded` if this tab had a session. */
export function SignedOut({ hasEnded = false, company = "The team", provider }: SiteNames & { hasEnded?: boolean }) {
  const { pathname, search } = location;
  const action = provider ? `Continue with ${provider}` : "Sign in";
  if (pathname === DONE) return <SignIn title="You're signed out" to="/" action="Sign in again" />;
  if (pathname === FAILED) {
    const reason = new URLSearchParams(search).get("reason") ?? "";
    // Anyone can put a word into the URL, such as "constructor", which every object has.
    const failure = Object.hasOwn(FAILURES, reason) ? FAILURES[reason] : undefined;
    return <SignIn {...(failure ?? UNKNOWN_FAILURE)} to="/" action="Try again" />;
  }
  const here = pathname + search;
  if (!hasEnded) return <SignIn title={`${company}'s waitlist`} to={here} action={action} />;
  return (
    <SignIn
      title="Your session has ended"
      to={here}
      action={action}
      text="Continue where you were. This browser keeps your unsaved text."
    />
  );
}

interface SignInProps {
  title: string;
  text?: ReactNode;
  to: string;
  action: string;
}

function SignIn({ title, text, to, action }: SignInProps) {
  return (
    <main className="state sign-in">
      <title>{title}</title>
      <img src="/icon.svg" width="40" height="40" alt="" />
      <h1>{title}</h1>
      {text && <p>{text}</p>}
      <a className="button primary" href={signInUrl(to)}>
        {action}
      </a>
    </main>
  );
}

/** Shown without a session in a local console. */
export function SessionEnded() {
  return (
    <main className="state">
      <h1>This tab has no session</h1>
      <p>
        The link in the terminal works once, in one tab. Start the console again and open the new link:{" "}
        <code>npx waitlist console</code>
      </p>
    </main>
  );
}
