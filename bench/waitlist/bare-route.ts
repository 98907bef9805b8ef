/** A process of its own: a Fastify route that answers the bytes it was given, and nothing else. */
import fastify from "fastify";

const body = process.argv[2] ?? "";
const app = fastify({ logger: { level: "info" } });
app.get("/api/waitlist/stats", { logLevel: "silent" }, (_request, reply) => {
  reply.header("cache-control", "public, max-age=1").type("application/json; charset=utf-8").send(body);
});
await app.listen({ host: "127.0.0.1", port: 0 });
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => app.close());
