import { once } from "node:events";
import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { freePort } from "#tools/dev/free-port.ts";

const REPORTS_PATH = "/policy-reports";

export interface ReportingFront {
  origin: string;
  /** Each violation of the policy, as the browser described it. */
  reports: string[];
  stop(): void;
}

/**
 * The site, with a policy that has the browser report what it refuses. Not a listener in the page, which would miss what
 * happens before it is there, and in Firefox's workers; WebKit tells of nothing in a worker, either way.
 */
export async function openReportingFront(siteOrigin: string): Promise<ReportingFront> {
  const reports: string[] = [];
  const front = createServer(async (incoming, outgoing) => {
    const { url = "/", method, headers } = incoming;
    if (url === REPORTS_PATH) {
      reports.push(await text(incoming));
      outgoing.writeHead(204).end();
      return;
    }
    const onward = request(new URL(url, siteOrigin), { method, headers }, (answer) => {
      const policy = `${answer.headers["content-security-policy"]}; report-uri ${REPORTS_PATH}`;
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, "content-security-policy": policy });
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  const port = await freePort();
  await once(front.listen(port, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${port}`,
    reports,
    stop() {
      front.close();
      front.closeAllConnections();
    },
  };
}
