import { request } from "#site/http/request.ts";

const KEY = "session";

/** The id of a local console's session. It survives a reload, but not closing the tab. A team's session is a cookie. */
export const sessionId = () => sessionStorage.getItem(KEY);
export const isTeam = () => sessionId() === null;

/** Dispatched on the window when a team's session ends. */
export const SESSION_ENDED = "sessionended";

/** All names are undefined in an outage. */
export interface SiteNames {
  company?: string | undefined;
  /** The company's sign-in: "Google", "login.example.com". */
  provider?: string | undefined;
}

/**
 * Exchanges the token in the URL's fragment, which browsers send to no server, for a local console's session. A tab
 * without a token asks the API for the session in its cookie.
 */
export async function openSession(): Promise<{ mode: "local" | "team"; isOpen: boolean } & SiteNames> {
  const token = location.hash.slice(1);
  if (token) {
    history.replaceState(null, "", location.pathname + location.search);
    const response = await request("POST", "/api/session", { token });
    if (response.ok) sessionStorage.setItem(KEY, (await response.json()).id);
  }
  if (sessionId()) return { mode: "local", isOpen: true };
  const response = await request("GET", "/api/session");
  const { mode = "local", company, provider } = await response.json().catch(() => ({}));
  // In an outage, the console's views say what is wrong.
  return { mode, company, provider, isOpen: response.ok || response.status >= 500 };
}

/** Reloads a local console's tab, but not a team's, because a reload would ask about unsaved text. */
export function endSession({ renew = false }: { renew?: boolean }): void {
  if (!isTeam()) {
    sessionStorage.removeItem(KEY);
    location.reload();
    return;
  }
  dispatchEvent(new Event(SESSION_ENDED));
  if (renew) location.assign(signInUrl(location.pathname + location.search));
}

export function signInUrl(to: string): string {
  return `/sign-in?${new URLSearchParams({ to })}`;
}
