import { readFileSync } from "node:fs";
import { STATS_PATH } from "#contract/paths.ts";
import type { Request } from "#tests/support/load.ts";

/** What browsers, older ones and tools say that they take, and the file that they are to get. */
const CODINGS = [
  ["gzip, deflate, br, zstd", "index.html.br"],
  ["gzip, deflate, br", "index.html.br"],
  ["gzip, deflate", "index.html.gz"],
  ["identity", "index.html"],
] as const;

/** The page and the stats in turn, each by a link of its own campaign; a page that isn't the one that was built is told. */
export function reads(onWrong: () => void): () => Request {
  const pages = CODINGS.map(([accepted, name]) => {
    const page = readFileSync(`dist/${name}`, "latin1");
    return { accepted, onAnswer: (_status: number, body: string) => body === page || onWrong() };
  });
  let count = 0;
  return () => {
    count += 1;
    const { accepted, onAnswer } = pages[count % pages.length] ?? {};
    const isPage = count % 2 === 0;
    const head = `host: localhost\r\naccept-encoding: ${accepted}\r\ncookie: visit=${count}\r\n\r\n`;
    const wire = `GET ${isPage ? "/" : STATS_PATH}?utm_source=${count} HTTP/1.1\r\n${head}`;
    return isPage && onAnswer ? { wire, onAnswer } : { wire };
  };
}
