/** Sends a request with credentials. A response outside 2xx throws "409: " followed by the body. */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: "include",
    // Shared caches already hold the stats for a second; the browser's cache would only repeat numbers already shown.
    cache: "no-store",
    ...(body === undefined
      ? headers && { headers }
      : { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${(await response.text()) || response.statusText}`);
  return response;
}
