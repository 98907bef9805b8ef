import { execFile } from "node:child_process";
import { get } from "node:http";
import { promisify } from "node:util";

/** What a browser says that it takes. */
const CODINGS = "gzip, deflate, br, zstd";

/** Reads a second, by Debian's wrk: our own client takes longer to ask than Varnish to answer. */
export async function rateOf(address: string, seconds: number): Promise<number> {
  const how = ["-t1", "-c64", `-d${seconds}s`, "-H", `accept-encoding: ${CODINGS}`];
  const { stdout } = await promisify(execFile)("wrk", [...how, address]);
  const perSecond = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1];
  if (!perSecond || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk could not read ${address}:\n${stdout}`);
  return Number(perSecond);
}

/** How many bytes the answer has, with its head. */
export function sizeOf(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { agent: false, headers: { "accept-encoding": CODINGS } }, (answer) => {
      const { socket } = answer;
      answer.resume().on("end", () => resolve(socket.bytesRead));
    }).on("error", reject);
  });
}
