import * as z from "zod/mini";

const port = z.coerce.number().check(z.int(), z.gte(0), z.lte(65535));

const environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" }),
  HOST: z._default(z.string(), "127.0.0.1"),
  PORT: z._default(port, 3000),
  LOG_LEVEL: z._default(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]), "info"),
});

export type Config = z.infer<typeof environment>;

/** The environment, parsed once. Throws one error that lists every bad key. */
export function readConfig(env = process.env): Config {
  // A variable that is set to nothing is a variable that is not set.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const result = environment.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => `  ${path.join(".")}: ${message}`);
  throw new Error(`The configuration is not usable:\n${lines.join("\n")}`);
}
