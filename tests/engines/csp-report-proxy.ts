import { once } from "node:events";
import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { freePort } from "#tools/dev/free-port.ts";

const REPORTS_PATH = "/policy-reports";

export interface CspReportProxy {
  origin: string;
  /** Each CSP violation, as the browser reported it. */
  reports: string[];
  stop(): void;
}

/**
 * A reverse proxy that adds report-uri to the site's policy. A listener in the page would miss violations that happen
 * before it is attached or in Firefox's workers. WebKit never reports violations in workers.
 */
export async function startCspReportProxy(siteOrigin: string): Promise<CspReportProxy> {
  const reports: string[] = [];
  const proxy = createServer(async (incoming, outgoing) => {
    const { url = "/", method, headers } = incoming;
    if (url === REPORTS_PATH) {
      reports.push(await text(incoming));
      outgoing.writeHead(204).end();
      return;
    }
    const upstream = request(new URL(url, siteOrigin), { method, headers }, (response) => {
      const policy = `${response.headers["content-security-policy"]}; report-uri ${REPORTS_PATH}`;
      outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, "content-security-policy": policy });
      response.pipe(outgoing);
    });
    incoming.pipe(upstream);
  });
  const port = await freePort();
  await once(proxy.listen(port, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${port}`,
    reports,
    stop() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
