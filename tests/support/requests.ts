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
 * Sign-ups with unique addresses in random order, as a real index gets them, and with realistically varied names. Half
 * have one of ten thousand companies, and one in four subscribes to the newsletter.
 */
export function uniqueSignUps(onJoined: (email: string) => void): () => Request {
  const run = randomBytes(4).toString("hex");
  let count = 0;
  return () => {
    count += 1;
    const mixed = scatter(count);
    const signUp = {
      firstName: `${(mixed % 2003).toString(36)} Ada`,
      lastName: `${(mixed % 50_021).toString(36)} Lovelace`,
      email: `${mixed.toString(36)}.${run}@mail${mixed % 500}.example.com`,
      company: mixed % 2 ? `Company ${mixed % 20_000}` : "",
      newsletter: mixed % 4 === 0,
      website: "",
    };
    const onResponse = (status: number) => {
      if (status === 201) onJoined(signUp.email);
    };
    const key = run.repeat(3) + mixed.toString(16).padStart(8, "0");
    return { wire: postSignUp(signUp, `idempotency-key: ${key}\r\n`), onResponse };
  };
}

/** Permutes 32-bit integers pseudorandomly. None repeats, because xorshifts and odd multiplications are invertible. */
function scatter(count: number): number {
  const once = Math.imul(count ^ (count >>> 16), 0x45d9f3b);
  const twice = Math.imul(once ^ (once >>> 16), 0x45d9f3b);
  return (twice ^ (twice >>> 16)) >>> 0;
}
