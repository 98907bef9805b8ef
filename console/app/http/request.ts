import { closeSession, sessionId } from "./session.ts";

export function get<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  return request(path, signal ? { signal } : {});
}

export function post<Body>(path: string, body: object = {}): Promise<Body> {
  return request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** On failure, throws the API's error message for the operator. */
async function request<Body>(path: string, init: RequestInit): Promise<Body> {
  const headers = { ...init.headers, authorization: `Bearer ${sessionId()}` };
  const response = await fetch(path, { ...init, headers }).catch((reason) => {
    if (reason.name === "AbortError") throw reason;
    throw new Error("The console has ended. Start it again in the terminal.");
  });
  if (response.status === 401) {
    closeSession();
    location.reload();
  }
  const text = await response.text();
  const content = text ? JSON.parse(text) : undefined;
  if (!response.ok) throw new Error(content?.detail ?? "Something went wrong.");
  return content;
}
