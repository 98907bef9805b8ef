import type { Problem } from "#contract/problem.ts";
import { signUpSchema } from "#contract/sign-up.ts";
import type { FieldErrors } from "./check-fields.ts";

/**
 * Reads the fields that the server refused from the message of a failed request. The server checks more than the form
 * does: an address at company.123 looks right, but no such domain can exist.
 */
export function refusedFields(error: Error | null): FieldErrors {
  const [, body] = error?.message.match(/^400: (.*)/s) ?? [];
  try {
    const { errors = [] } = JSON.parse(body ?? "") as Problem;
    return Object.fromEntries(
      errors
        // A response from something in front of our server may hold anything.
        .filter(({ field, message }) => Object.hasOwn(signUpSchema.shape, field) && typeof message === "string")
        .map(({ field, message }) => [field, message]),
    );
  } catch {
    // Another kind of failure, or a response from something in front of our server.
    return {};
  }
}
