import type { FastifyReply, FastifyRequest } from "fastify";
import { FORM_RETURNS, type FormReturn } from "#contract/form-return.ts";
import type { Problem } from "#contract/problem.ts";

/** A sign-up that a browser sent by itself, without our script. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

export function isFormPost({ headers }: FastifyRequest): boolean {
  return headers["content-type"]?.startsWith(FORM_TYPE) ?? false;
}

/** A form knows only text: a checked box says "on", and one that isn't checked says nothing. */
export function readForm(body: string): object {
  const { newsletter, ...fields } = Object.fromEntries(new URLSearchParams(body));
  return { ...fields, newsletter: newsletter === "on" };
}

/** Such a browser goes back to the page, and the fragment says what happened: no name gets into an address. */
export function returnToPage(reply: FastifyReply, fragment: FormReturn | "joined"): FastifyReply {
  return reply.header("cache-control", "no-store").redirect(`/#${fragment}`, 303);
}

/** Also where it wasn't taken, except when another site sent it: that was no visitor of ours. */
export function returnWithProblem(reply: FastifyReply, problem: Problem): FastifyReply | undefined {
  if (problem.status === 403 || !isFormPost(reply.request)) return undefined;
  return returnToPage(reply, problem.status === 409 ? "already-joined" : fragmentOf(problem));
}

/** For a field that wasn't sent at all, which no browser does: the schema has no words of its own for it. */
const ABSENT: Record<string, FormReturn> = {
  firstName: "first-name-missing",
  lastName: "last-name-missing",
  email: "email-invalid",
};

function fragmentOf({ errors: [first] = [] }: Problem): FormReturn {
  const fragments = Object.keys(FORM_RETURNS) as FormReturn[];
  const said = fragments.find((fragment) => FORM_RETURNS[fragment] === first?.message);
  return said ?? ABSENT[first?.field ?? ""] ?? "not-joined";
}
