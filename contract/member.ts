import * as z from "zod/mini";
import { signUpSchema } from "./sign-up.ts";

const { firstName, lastName, company, email } = signUpSchema.shape;

/** The fields that members can correct on their page, under the form's rules. */
export const detailsSchema = /* @__PURE__ */ z.object({ firstName, lastName, company });
export type Details = z.output<typeof detailsSchema>;

export const linkRequestSchema = /* @__PURE__ */ z.object({ email });
