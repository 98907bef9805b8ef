import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { brand } from "#brand/brand.ts";
import { RANGES } from "#console/contract/overview.ts";
import type { Me } from "#console/contract.ts";
import { readMailStatus } from "#core/mail/status.ts";
import { LINK_LIFETIME_DAYS } from "#core/members/links.ts";
import { createCatchUp } from "#core/rollups/catch-up.ts";
import { readOverview } from "#core/rollups/overview.ts";
import { readPeoplePage } from "#core/waitlist/people-page.ts";
import type { ConsoleParts } from "./parts.ts";

const NEWEST = 8;

export const overviewRoutes: FastifyPluginAsyncZod<ConsoleParts> = async (app, parts) => {
  const { db, actor, isReadOnly, mail, linkOf } = parts;
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

  const catchUp = createCatchUp(db);
  app.addHook("onClose", () => catchUp.stop());
  const querystring = z.object({ range: z._default(z.enum(RANGES), "7d") });
  app.get("/api/overview", { schema: { querystring } }, async ({ query: { range } }) => {
    const [numbers, health, { people: newest }] = await Promise.all([
      readOverview(db, range),
      readMailStatus(db),
      readPeoplePage(db, {}, { limit: NEWEST }),
    ]);
    catchUp.start();
    return { ...numbers, mail: health, newest };
  });
};
