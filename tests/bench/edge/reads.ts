import { readFileSync } from "node:fs";
import { STATS_PATH } from "#contract/paths.ts";
import type { Request } from "#tests/support/load.ts";

/** The Accept-Encoding of browsers, older browsers and tools, and the file that each must get. */
const FILE_BY_ACCEPT_ENCODING = [
  ["gzip, deflate, br, zstd", "index.html.br"],
  ["gzip, deflate, br", "index.html.br"],
  ["gzip, deflate", "index.html.gz"],
  ["identity", "index.html"],
] as const;

/** Page and stats alternately, each with a unique query string; reports pages that differ from the build. */
export function pageAndStatsReads(onWrong: () => void): () => Request {
  const pages = FILE_BY_ACCEPT_ENCODING.map(([accepted, name]) => {
    const page = readFileSync(`dist/${name}`, "latin1");
    return { accepted, onResponse: (_status: number, body: string) => body === page || onWrong() };
  });
  let count = 0;
  return () => {
    count += 1;
    const { accepted, onResponse } = pages[count % pages.length] ?? {};
    const isPage = count % 2 === 0;
    const head = `host: localhost\r\naccept-encoding: ${accepted}\r\ncookie: visit=${count}\r\n\r\n`;
    const wire = `GET ${isPage ? "/" : STATS_PATH}?utm_source=${count} HTTP/1.1\r\n${head}`;
    return isPage && onResponse ? { wire, onResponse } : { wire };
  };
}
