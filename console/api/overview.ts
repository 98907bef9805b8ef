import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { brand } from "#brand/brand.ts";
import { type Me, RANGES } from "#console/contract.ts";
import { readMailHealth } from "#core/mail/health.ts";
import { createCatchUp } from "#core/rollups/catch-up.ts";
import { readOverview } from "#core/rollups/overview.ts";
import { readPeoplePage } from "#core/waitlist/people-page.ts";
import type { ConsoleParts } from "./parts.ts";

const NEWEST = 8;

export const overviewRoutes: FastifyPluginAsyncZod<ConsoleParts> = async (app, { db, operator, isReadOnly }) => {
  app.get(
    "/api/me",
    async (): Promise<Me> => ({
      product: brand.name,
      operator,
      isReadOnly,
    }),
  );

  const catchUp = createCatchUp(db);
  app.addHook("onClose", () => catchUp.stop());
  const querystring = z.object({ range: z._default(z.enum(RANGES), "7d") });
  app.get("/api/overview", { schema: { querystring } }, async ({ query: { range } }) => {
    const [numbers, mail, { people: newest }] = await Promise.all([
      readOverview(db, range),
      readMailHealth(db),
      readPeoplePage(db, {}, { limit: NEWEST }),
    ]);
    catchUp.start();
    return { ...numbers, mail, newest };
  });
};
