/** Sends a request with credentials. A response that is no success becomes an error: "409: " and what the body says. */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: "include",
    // Shared caches hold the stats for a second; a browser's own would only show what it has seen before.
    cache: "no-store",
    ...(body === undefined
      ? headers && { headers }
      : { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${(await response.text()) || response.statusText}`);
  return response;
}
