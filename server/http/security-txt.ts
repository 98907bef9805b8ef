import type { FastifyInstance } from "fastify";
import { brand } from "#brand/brand.ts";
import { SHORT_LIVED } from "./site.ts";

const PATH = "/.well-known/security.txt";
const POLICY_PATH = "/.well-known/security-policy.txt";

/** RFC 9116 recommends less than a year. */
const LIFETIME_MS = 330 * 86_400_000;

/** Not files of the build, because a server may run longer than security.txt is valid. */
export function serveSecurityTxt(app: FastifyInstance): void {
  const serve = (path: string, text: () => string) =>
    app.get(path, { config: { limit: "memory" } }, (_request, reply) =>
      reply.header("cache-control", SHORT_LIVED).type("text/plain; charset=utf-8").send(text()),
    );
  serve(POLICY_PATH, () => `${brand.security.policy}\n`);
  serve(PATH, () =>
    [
      `Contact: mailto:${brand.security.mail}`,
      `Expires: ${new Date(Date.now() + LIFETIME_MS).toISOString()}`,
      `Policy: ${brand.address}${POLICY_PATH}`,
      "Preferred-Languages: en",
      `Canonical: ${brand.address}${PATH}`,
      "",
    ].join("\n"),
  );
}
