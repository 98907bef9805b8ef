import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Reads a second, by Debian's wrk: our own client takes longer to ask than Varnish to answer. */
export async function rate(address: string, seconds: number): Promise<number> {
  const how = ["-t1", "-c64", `-d${seconds}s`, "-H", "accept-encoding: gzip, deflate, br, zstd"];
  const { stdout } = await promisify(execFile)("wrk", [...how, address]);
  const perSecond = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1];
  if (!perSecond || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk could not read ${address}:\n${stdout}`);
  return Number(perSecond);
}
