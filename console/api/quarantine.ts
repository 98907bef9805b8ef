import * as z from "zod/mini";
import type { Dropped } from "#console/contract/people.ts";
import { id } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { readQuarantined } from "#console/json/people.ts";
import { resendFor } from "#core/mail/queue/flag-mail.ts";
import { readMail } from "#core/mail/switch.ts";
import { dropQuarantined, release } from "#core/sign-ups/quarantine.ts";
import { MAX_QUARANTINED } from "#core/text/format.ts";

const withIds = needs("write", {
  body: z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(MAX_QUARANTINED)) }),
});

export const quarantineRoutes: ConsoleRoutes = async (app, { db }) => {
  app.get("/api/quarantine", needs("read"), () => readQuarantined(db));

  app.post("/api/quarantine/release", withIds, async ({ body, operator }) =>
    release(db, operator.actor, body.ids, resendFor(await readMail(db))),
  );
  app.post("/api/quarantine/drop", withIds, async ({ body, operator }): Promise<Dropped> => {
    return { dropped: await dropQuarantined(db, operator.actor, body.ids) };
  });
};
