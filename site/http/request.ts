/** Sends a request with credentials. */
export function request(
  method: string,
  path: string,
  body?: unknown,
  { headers, signal }: Pick<RequestInit, "headers" | "signal"> = {},
): Promise<Response> {
  return fetch(path, {
    method,
    credentials: "include",
    // Shared caches already hold the stats for a second; the browser's cache would only repeat numbers already shown.
    cache: "no-store",
    ...(signal && { signal }),
    ...(body === undefined
      ? headers && { headers }
      : { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) }),
  });
}

/** A response outside 2xx throws "409: " followed by the body. */
export async function send(...options: Parameters<typeof request>): Promise<Response> {
  const response = await request(...options);
  if (!response.ok) throw new Error(`${response.status}: ${(await response.text()) || response.statusText}`);
  return response;
}
