import type { FieldErrors } from "react-hook-form";
import type { Problem } from "#contract/problem.ts";
import type { SignUpInput } from "#contract/sign-up.ts";

/**
 * The fields that the server refused, from the message of a failed request. It knows more than the form: an address at
 * company.123 looks right, but there can be no such domain.
 */
export function refusedFields(error: Error | null): FieldErrors<SignUpInput> {
  const [, body] = error?.message.match(/^400: (.*)/s) ?? [];
  try {
    const { errors = [] } = JSON.parse(body ?? "") as Problem;
    return Object.fromEntries(errors.map(({ field, message }) => [field, { type: "server", message }]));
  } catch {
    // Any other failure, or a response that isn't ours.
    return {};
  }
}
