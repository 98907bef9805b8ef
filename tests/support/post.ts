import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "./sign-ups.ts";

/** Sends a sign-up over HTTP, as JSON unless the headers say otherwise. */
export function post(origin: string, signUp: object | string = aSignUp(), headers: Record<string, string> = {}) {
  return fetch(origin + WAITLIST_PATH, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof signUp === "string" ? signUp : JSON.stringify(signUp),
    redirect: "manual",
  });
}
