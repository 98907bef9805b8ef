/**
 * Started in the machines' network with their addresses as arguments: signs up on each of them a few times a second,
 * and prints every acknowledged address, or what went wrong.
 */
import { request } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import type { SignUp } from "#contract/sign-up.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { NETWORK, visitorAddress } from "./network.ts";

const INTERVAL_MS = 250;
const TIMEOUT_MS = 3000;
let visitors = 0;

await Promise.all(process.argv.slice(2).map(visit));

async function visit(machine: string): Promise<void> {
  for (; ; await pause(INTERVAL_MS)) {
    const signUp = aSignUp();
    const outcome = await post(machine, signUp).catch((reason: Error) => reason.message);
    console.log(outcome === 201 ? `acknowledged ${signUp.email}` : `failed on ${machine}: ${outcome}`);
  }
}

function post(machine: string, signUp: SignUp): Promise<number | undefined> {
  visitors = (visitors + 1) % NETWORK.visitors;
  return new Promise((resolve, reject) => {
    request(
      {
        host: machine,
        path: "/api/waitlist",
        method: "POST",
        servername: "farwatch.example",
        rejectUnauthorized: false,
        localAddress: visitorAddress(visitors),
        headers: { host: "farwatch.example", "content-type": "application/json" },
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    )
      .on("error", reject)
      .end(JSON.stringify(signUp));
  });
}
