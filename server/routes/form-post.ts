import type { FastifyReply, FastifyRequest } from "fastify";
import type { FormReturn } from "#contract/form-return.ts";
import type { Problem } from "#contract/problem.ts";

/** A sign-up that a browser sent by itself, without our script. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/** A form knows only text: a ticked box says "on", and one that isn't ticked says nothing. */
export function readForm(body: string): object {
  const { newsletter, ...fields } = Object.fromEntries(new URLSearchParams(body));
  return { ...fields, newsletter: newsletter === "on" };
}

/**
 * Such a browser goes back to the page, whatever the answer: a fragment says which, and no name gets into an address. Not
 * where another site sent it: that was no visitor of ours.
 */
export function returnToPage(request: FastifyRequest, reply: FastifyReply, answer: unknown): unknown {
  if (reply.statusCode === 403 || !request.headers["content-type"]?.startsWith(FORM_TYPE)) return answer;
  const fragment = fragmentFor(reply.statusCode, answer);
  reply.code(303).header("location", `/#${fragment}`).removeHeader("content-type").removeHeader("content-length");
  return "";
}

const FIELDS: Record<string, FormReturn> = {
  firstName: "first-name-missing",
  lastName: "last-name-missing",
  email: "email-invalid",
};

function fragmentFor(status: number, answer: unknown): FormReturn | "joined" {
  if (status === 201) return "joined";
  if (status === 409) return "already-joined";
  if (status !== 400) return "not-joined";
  const { errors: [first] = [] }: Problem = JSON.parse(String(answer));
  return FIELDS[first?.field ?? ""] ?? "not-joined";
}
