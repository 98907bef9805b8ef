import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, RouteOptions } from "fastify";

/** Creates an app and records its routes. This works because Fastify announces each new app before it has routes. */
export async function withRouteTable(
  create: () => Promise<FastifyInstance>,
): Promise<{ app: FastifyInstance; routes: RouteOptions[] }> {
  const routes: RouteOptions[] = [];
  const record = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", (route) => void routes.push(route));
  };
  subscribe("fastify.initialization", record);
  try {
    return { app: await create(), routes };
  } finally {
    unsubscribe("fastify.initialization", record);
  }
}
