import * as z from "zod/mini";
import type { Dropped } from "#console/contract.ts";
import type { Database } from "#core/database/connect.ts";
import { dropQuarantined, readQuarantine, release } from "#core/sign-ups/quarantine.ts";
import { MAX_QUARANTINED } from "#core/text/format.ts";
import { id } from "./filter.ts";
import { needs } from "./guard.ts";
import type { ConsoleRoutes } from "./parts.ts";

const withIds = needs("write", {
  body: z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(MAX_QUARANTINED)) }),
});

export const quarantineRoutes: ConsoleRoutes = async (app, { db }) => {
  app.get("/api/quarantine", needs("read"), () => readEntries(db));

  app.post("/api/quarantine/release", withIds, ({ body, operator }) => release(db, operator.actor, body.ids));
  app.post("/api/quarantine/drop", withIds, async ({ body, operator }): Promise<Dropped> => {
    return { dropped: await dropQuarantined(db, operator.actor, body.ids) };
  });
};

export async function readEntries(db: Database) {
  const entries = await readQuarantine(db, MAX_QUARANTINED);
  // Lists the fields, so that the page gets only those it shows.
  return entries.map(({ id, caught_at, email, first_name, last_name, company, website }) => ({
    id,
    caughtAt: caught_at,
    email,
    firstName: first_name,
    lastName: last_name,
    company,
    website,
  }));
}
