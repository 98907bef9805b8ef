import { isPolling } from "./idle.ts";
import { endSession, isTeam, sessionId, toPost } from "./session.ts";

export function get<Body>(path: string, signal: AbortSignal): Promise<Body> {
  return request(path, { signal });
}

export function post<Body>(path: string, body: object = {}): Promise<Body> {
  return request(path, toPost(body));
}

/** On failure, throws the API's error message for the operator. */
async function request<Body>(path: string, init: RequestInit): Promise<Body> {
  const session = isTeam() ? isPolling() && { "x-polling": "1" } : { authorization: `Bearer ${sessionId()}` };
  const headers = { ...init.headers, ...session };
  const response = await fetch(path, { ...init, headers }).catch((reason) => {
    if (reason.name === "AbortError") throw reason;
    throw new Error(isTeam() ? "Can't reach the console." : "The console has ended. Start it again in the terminal.");
  });
  // A proxy's errors are HTML.
  const isJson = response.headers.get("content-type")?.includes("json");
  const content = isJson ? await response.json() : undefined;
  if (response.status === 401) endSession(content ?? {});
  if (!response.ok)
    throw new Error(
      content?.detail ?? (response.status === 503 ? "Can't reach the database." : "Something went wrong."),
    );
  return content;
}
