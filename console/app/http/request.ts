import { request } from "#site/http/request.ts";
import { isPolling } from "./idle.ts";
import { endSession, isTeam, sessionId } from "./session.ts";

export function get<Body>(path: string, signal: AbortSignal): Promise<Body> {
  return call("GET", path, undefined, signal);
}

export function post<Body>(path: string, body: object = {}): Promise<Body> {
  return call("POST", path, body);
}

/** On failure, throws the problem's detail for the operator. */
async function call<Body>(
  method: string,
  path: string,
  body?: object,
  signal: AbortSignal | null = null,
): Promise<Body> {
  const session = isTeam() ? isPolling() && { "x-polling": "1" } : { authorization: `Bearer ${sessionId()}` };
  const response = await request(method, path, body, { headers: { ...session }, signal }).catch((reason) => {
    if (reason.name === "AbortError") throw reason;
    throw new Error(isTeam() ? "Can't reach the console." : "The console has ended. Start it again in the terminal.");
  });
  // A proxy's errors are HTML.
  const isJson = response.headers.get("content-type")?.includes("json");
  const content = isJson ? await response.json() : undefined;
  if (response.status === 401) endSession(content ?? {});
  const fallback = content?.status === 503 ? "Can't reach the database." : "Something went wrong.";
  if (!response.ok) throw new Error(content?.errors?.[0]?.message ?? content?.detail ?? fallback);
  return content;
}
