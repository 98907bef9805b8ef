import type { FastifyReply, FastifyRequest } from "fastify";
import { FORM_ERRORS, type FormError } from "#contract/form-errors.ts";
import type { Problem } from "#contract/problem.ts";

/** A native form post: the browser sent it without our script. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

export function isFormPost({ headers }: FastifyRequest): boolean {
  return headers["content-type"]?.startsWith(FORM_TYPE) ?? false;
}

/** Counts missing required fields as empty, so that they get the form's messages. Browsers send every field. */
const EMPTY = { firstName: "", lastName: "", email: "" };

/** Form values are text: a checked box is "on", and an unchecked one is absent. */
export function readForm(body: string): object {
  const { newsletter, ...fields } = Object.fromEntries(new URLSearchParams(body));
  return { ...EMPTY, ...fields, newsletter: newsletter === "on" };
}

/** Redirects to the page with the outcome in the fragment, so that no name gets into a URL. */
export function returnToPage(reply: FastifyReply, fragment: FormError | "joined"): FastifyReply {
  return reply.header("cache-control", "no-store").redirect(`/#${fragment}`, 303);
}

/** Redirects on errors too, except for a cross-site post (403), which isn't from our visitor. */
export function returnWithProblem(reply: FastifyReply, problem: Problem): FastifyReply | undefined {
  if (problem.status === 403 || !isFormPost(reply.request)) return undefined;
  return returnToPage(reply, problem.status === 409 ? "already-joined" : fragmentOf(problem));
}

function fragmentOf({ errors: [first] = [] }: Problem): FormError {
  const fragments = Object.keys(FORM_ERRORS) as FormError[];
  return fragments.find((fragment) => FORM_ERRORS[fragment] === first?.message) ?? "not-joined";
}
