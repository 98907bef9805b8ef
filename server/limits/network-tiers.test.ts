import fastify, { type FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { unlimited } from "#tools/dev/unlimited.ts";
import { limitNetworks } from "./network-tiers.ts";

test("one /48 with more clients than a limit tracks doesn't make another client's count be forgotten", async () => {
  const limit = await limitNetworks(fastify(), { max: 1, windowMs: 60_000 }, unlimited);
  const isRefused = async (ip: string) => Boolean(await limit({ ip, routeOptions: {} } as FastifyRequest));
  expect([await isRefused("192.0.2.1"), await isRefused("192.0.2.1")]).toEqual([false, true]);
  for (let i = 0; i < 20_000; i += 1) await isRefused(`2001:db8:1:${i.toString(16)}::1`);
  expect(await isRefused("192.0.2.1")).toBe(true);
});
