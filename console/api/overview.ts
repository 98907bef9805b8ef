import type { FastifyPluginAsync } from "fastify";
import { brand } from "#brand/brand.ts";
import type { Me } from "#console/contract.ts";
import { LINK_LIFETIME_DAYS } from "#core/members/links.ts";
import { readNumbers } from "#core/waitlist/report-numbers.ts";
import type { ConsoleParts } from "./parts.ts";

export const overviewRoutes: FastifyPluginAsync<ConsoleParts> = async (
  app,
  { db, actor, isReadOnly, mail, linkOf },
) => {
  app.get(
    "/api/me",
    async (): Promise<Me> => ({
      product: brand.name,
      operator: actor.name,
      isReadOnly,
      isMailed: mail !== undefined,
      linkDays: linkOf ? LINK_LIFETIME_DAYS : null,
    }),
  );
  app.get("/api/overview", () => readNumbers(db));
};
