import { execFile } from "node:child_process";
import { get } from "node:http";
import { promisify } from "node:util";

/** A browser's Accept-Encoding. */
const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

/** Requests per second, measured with wrk: our own client is slower than Varnish. */
export async function requestRate(url: string, seconds: number): Promise<number> {
  const options = ["-t1", "-c64", `-d${seconds}s`, "-H", `accept-encoding: ${ACCEPT_ENCODING}`];
  const { stdout } = await promisify(execFile)("wrk", [...options, url]);
  const perSecond = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1];
  if (!perSecond || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk could not read ${url}:\n${stdout}`);
  return Number(perSecond);
}

/** The size of the response in bytes, including headers. */
export function responseSize(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { "accept-encoding": ACCEPT_ENCODING } }, (response) => {
      const { socket } = response;
      response.resume().on("end", () => resolve(socket.bytesRead));
    }).on("error", reject);
  });
}
