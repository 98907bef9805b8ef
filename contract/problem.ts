import * as z from "zod/mini";

export const PROBLEM_TYPE = "application/problem+json";

export const problemSchema = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  detail: z.optional(z.string()),
  /** Of a 5xx: the `reqId` of the log line with its cause. */
  requestId: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});

export type Problem = z.infer<typeof problemSchema>;
