import { once } from "node:events";
import { request } from "node:https";
import { RequestFilteringHttpsAgent } from "request-filtering-agent";

/** Standard Webhooks recommends 15 to 30 seconds. */
const TIMEOUT_MS = 15_000;

/** The private networks that WEBHOOK_HOSTS allows for the URL's host, usually none. Undefined if the URL isn't allowed. */
export function allowedNetworks(hosts: string[], text: string): string[] | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.username || url.password) return undefined;
  // The agent blocks IPv4-compatible addresses, like [::127.0.0.1], in DNS responses, but not in a URL.
  if (/^\[::[\da-f]+:[\da-f]+\]$/.test(url.hostname)) return undefined;
  const entries = hosts.map((entry) => entry.split("="));
  return entries.find(([host]) => host === url.host)?.slice(1);
}

/**
 * Posts JSON without following redirects, and returns the response's status, or why there is none: "blocked",
 * "timeout" or an error code such as ECONNREFUSED. Reads nothing else of the response.
 */
export async function post(hosts: string[], url: string, body: string, headers: object): Promise<string> {
  const networks = allowedNetworks(hosts, url);
  if (!networks) return "blocked";
  // Checks addresses inside the connection's own lookup, because a second lookup may return other addresses.
  const agent = new RequestFilteringHttpsAgent({ allowIPAddressList: networks });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const sent = request(url, {
    method: "POST",
    agent,
    signal,
    headers: { ...headers, "content-type": "application/json" },
  });
  // Errors after the response don't matter, but without a listener they would end the process.
  sent.on("error", () => {});
  try {
    sent.end(body);
    const [response] = (await once(sent, "response")) as [{ statusCode?: number }];
    return String(response.statusCode);
  } catch (reason) {
    // Only the agent's refusal has no code.
    return signal.aborted ? "timeout" : ((reason as NodeJS.ErrnoException).code ?? "blocked");
  } finally {
    sent.destroy();
  }
}
