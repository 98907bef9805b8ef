import * as z from "zod/mini";
import { statsSchema } from "./stats.ts";

/**
 * The response to a sign-up. With mail enabled, `confirmByEmail` is true for everyone, bots and retries included, so
 * that it reveals nothing about an address; otherwise it is missing.
 */
export const joinedSchema = z.object({ ...statsSchema.shape, confirmByEmail: z.optional(z.boolean()) });

export type Joined = z.infer<typeof joinedSchema>;
