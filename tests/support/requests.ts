import { randomBytes } from "node:crypto";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import type { Request } from "./load.ts";

export const readStats: Request = { wire: `GET ${STATS_PATH} HTTP/1.1\r\nhost: localhost\r\n\r\n` };

export function postSignUp(signUp: object, headers = ""): string {
  const body = JSON.stringify(signUp);
  const head = `POST ${WAITLIST_PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}

/**
 * Sign-ups by people who were never here before, in no order, as an index meets them in life: half name a company, one of
 * ten thousand, and one in four wants the news.
 */
export function newcomers(onJoined: () => void): () => Request {
  const run = randomBytes(4).toString("hex");
  let count = 0;
  const onAnswer = (status: number) => {
    if (status === 201) onJoined();
  };
  return () => {
    count += 1;
    const mixed = scatter(count);
    const signUp = {
      firstName: "Ada",
      lastName: "Lovelace",
      email: `${mixed.toString(36)}.${run}@mail${mixed % 500}.example.com`,
      company: mixed % 2 ? `Company ${mixed % 20_000}` : "",
      newsletter: mixed % 4 === 0,
      website: "",
    };
    const key = run.repeat(3) + mixed.toString(16).padStart(8, "0");
    return { wire: postSignUp(signUp, `idempotency-key: ${key}\r\n`), onAnswer };
  };
}

/** Each number once, in an order that looks like none: odd multiplications and shifts of 32 bits can be undone. */
function scatter(count: number): number {
  const once = Math.imul(count ^ (count >>> 16), 0x45d9f3b);
  const twice = Math.imul(once ^ (once >>> 16), 0x45d9f3b);
  return (twice ^ (twice >>> 16)) >>> 0;
}
