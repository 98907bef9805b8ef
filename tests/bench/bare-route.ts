/**
 * A separate process, whose Fastify routes only return the headers and body in its argument. Its sign-up route parses
 * and serializes the same JSON as the real server's.
 */
import fastify from "fastify";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";

const { headers, body }: { headers: Record<string, string>; body: string } = JSON.parse(process.argv[2] ?? "");
const app = fastify({ logger: { level: "info" } });
app.get(STATS_PATH, { logLevel: "silent" }, (_request, reply) => {
  reply.headers(headers).send(body);
});
const joined = JSON.parse(body);
app.post(WAITLIST_PATH, { logLevel: "silent" }, (_request, reply) => {
  reply.code(201).headers(headers).send(joined);
});
await app.listen({ host: "127.0.0.1", port: 0 });
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => app.close());
