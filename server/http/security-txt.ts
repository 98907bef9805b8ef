import type { FastifyInstance } from "fastify";
import { brand } from "#brand/brand.ts";
import { SHORT_LIVED } from "./site.ts";

const PATH = "/.well-known/security.txt";

/** RFC 9116 recommends less than a year. */
const LIFETIME_MS = 330 * 86_400_000;

/** Not a static file, because it could expire while a server runs. The policy is a comment, not another page. */
export function serveSecurityTxt(app: FastifyInstance): void {
  app.get(PATH, { config: { limit: "memory" } }, (_request, reply) =>
    reply
      .header("cache-control", SHORT_LIVED)
      .type("text/plain; charset=utf-8")
      .send(
        [
          ...brand.security.policy.map((line) => `# ${line}`),
          `Contact: mailto:${brand.security.mail}`,
          `Expires: ${new Date(Date.now() + LIFETIME_MS).toISOString()}`,
          "Preferred-Languages: en",
          `Canonical: ${brand.address}${PATH}`,
          "",
        ].join("\n"),
      ),
  );
}
