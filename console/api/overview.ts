import * as z from "zod/mini";
import { brand } from "#brand/brand.ts";
import type { Me } from "#console/contract/operators.ts";
import type { ListCounts, OverviewBody } from "#console/contract/overview.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { LINK_LIFETIME_DAYS } from "#core/links/links.ts";
import { readMailStatus } from "#core/mail/queue/status.ts";
import { createOverview, readNow } from "#core/overview/overview.ts";
import { RANGES, type Range } from "#core/overview/ranges.ts";
import { readPeoplePage } from "#core/people/people-page.ts";
import { readTotals } from "#core/people/totals.ts";

const NEWEST = 8;

export const overviewRoutes: ConsoleRoutes = async (app, { db, linkOf }) => {
  app.get("/api/me", needs("read"), async ({ operator: { actor, role } }): Promise<Me> => {
    return { product: brand.name, operator: actor.name, role, linkDays: linkOf ? LINK_LIFETIME_DAYS : null };
  });

  app.get("/api/counts", needs("read"), async (): Promise<ListCounts> => {
    const [{ totalUsers }, { quarantined }] = await Promise.all([readTotals(db.pool), readNow(db)]);
    return { people: totalUsers, quarantined };
  });

  const overview = createOverview(db);
  app.addHook("onClose", () => overview.stop());
  const querystring = z.object({ range: z._default(z.enum(Object.keys(RANGES) as Range[]), "7d") });
  const withRange = needs("read", { querystring }, "count");
  app.get("/api/overview", withRange, async ({ query: { range } }): Promise<OverviewBody> => {
    const [numbers, mail, { people: newest }] = await Promise.all([
      overview.read(range),
      readMailStatus(db),
      readPeoplePage(db, {}, { limit: NEWEST }),
    ]);
    return { ...numbers, mail, newest };
  });
};
