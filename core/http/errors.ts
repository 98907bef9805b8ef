import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import type { Problem } from "#contract/problem.ts";
import type { Breaker } from "#core/database/breaker.ts";
import { faultOf, isOutage } from "#core/database/faults.ts";
import { handleClientError } from "./client-error.ts";
import { sendProblem } from "./problem.ts";

/** A restart or a failover takes seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Fastify's options for requests that reach no hook or route: invalid HTTP, and URLs that can't be decoded. */
export function frameworkErrorsAsProblems(headers: Record<string, string>) {
  return {
    clientErrorHandler: handleClientError(headers),
    frameworkErrors: (_error: Error, _request: unknown, reply: FastifyReply) =>
      sendProblem(reply.headers(headers), 404),
  };
}

/** Sends every error as problem details; a 5xx never reveals its cause, except a timeout to those told `onTimeout`. */
export function handleErrorsAsProblems(app: FastifyInstance, breaker: Breaker, onTimeout?: string): void {
  let logged = { at: 0, id: "" };
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { status, ...details } = toProblem(error);
    if (onTimeout && faultOf(error) === "timeout") details.detail = onTimeout;
    if (status < 500) return sendProblem(reply, status, details);
    if (status === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", RETRY_AFTER_SECONDS);
    // The breaker has logged the outage. Under overload all requests fail alike, so one line per second is enough.
    const isRepeated = status === 503 && Date.now() - logged.at <= 1000;
    const loggedId = (isOutage(error) && breaker.outageId()) || (isRepeated && logged.id);
    // Logs the route, not the path, which may contain a member's token.
    if (!loggedId) request.log.error({ err: error, route: request.routeOptions.url });
    if (!loggedId && status === 503) logged = { at: Date.now(), id: request.id };
    return sendProblem(reply, status, { ...details, requestId: loggedId || request.id });
  });
}

function toProblem(error: FastifyError): Pick<Problem, "status" | "detail" | "errors"> {
  if (hasZodFastifySchemaValidationErrors(error)) {
    const found = error.validation.map(({ instancePath, message = "is not valid" }) => ({
      field: instancePath.slice(1),
      message,
    }));
    return { status: 400, detail: "Some fields are invalid.", errors: firstErrors(found) };
  }
  const status = error.statusCode ?? (isOutage(error) ? 503 : 500);
  return status < 500 ? { status, detail: error.message } : { status };
}

/** A field can break several rules; people see one message per field. */
export function firstErrors<Found extends { field: string }>(errors: Found[]): Found[] {
  return errors.filter(({ field }, i) => errors.findIndex((other) => other.field === field) === i);
}
