import * as z from "zod/mini";

const count = z.int().check(z.nonnegative());

export const statsSchema = z.object({
  data: z.object({ totalUsers: count, companiesInterested: count }),
});

export type Stats = z.infer<typeof statsSchema>;
