/** Runs as a separate process: a Fastify route that only returns the headers and body it was started with. */
import fastify from "fastify";
import { STATS_PATH } from "#contract/paths.ts";

const { headers, body }: { headers: Record<string, string>; body: string } = JSON.parse(process.argv[2] ?? "");
const app = fastify({ logger: { level: "info" } });
app.get(STATS_PATH, { logLevel: "silent" }, (_request, reply) => {
  reply.headers(headers).send(body);
});
await app.listen({ host: "127.0.0.1", port: 0 });
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => app.close());
