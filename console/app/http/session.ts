const KEY = "session";

/** Survives a reload, but not closing the tab. */
export const sessionId = () => sessionStorage.getItem(KEY);

/**
 * Exchanges the token in the URL's fragment, which browsers send to no server, for a session. Returns whether the tab
 * has a session.
 */
export async function openSession(): Promise<boolean> {
  const token = location.hash.slice(1);
  if (!token) return sessionId() !== null;
  history.replaceState(null, "", location.pathname + location.search);
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  if (response.ok) sessionStorage.setItem(KEY, (await response.json()).id);
  return sessionId() !== null;
}

export function closeSession(): void {
  sessionStorage.removeItem(KEY);
}
