import * as z from "zod/mini";
import { type Dropped, type Moved, QUARANTINE_DAYS } from "#console/contract/people.ts";
import { filterSchemas, id, text, withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { readQuarantined } from "#console/json/people.ts";
import { sendProblem } from "#core/http/problem.ts";
import { resendFor } from "#core/mail/queue/flag-mail.ts";
import { readMail } from "#core/mail/switch.ts";
import { movePeople, previewMove, readMoves, undoMove } from "#core/retention/move.ts";
import { dropQuarantined, release } from "#core/sign-ups/quarantine.ts";
import { MAX_QUARANTINED } from "#core/sign-ups/quarantine-size.ts";
import { quarantineDomain, readQuarantinedDomains, stopQuarantining } from "#core/sign-ups/quarantined-domains.ts";

const withIds = needs("write", {
  body: z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(MAX_QUARANTINED)) }),
});

/** Without a filter, everyone would be moved. */
const hasFilter = z.refine((filter) => Object.values(filter as object).some((value) => value !== undefined));
const filterSchema = z.strictObject(filterSchemas()).check(hasFilter);

export const quarantineRoutes: ConsoleRoutes = async (app, { db }) => {
  app.get("/api/quarantine", needs("read"), () => readQuarantined(db));

  app.post("/api/quarantine/release", withIds, async ({ body, operator }) =>
    release(db, operator.actor, body.ids, resendFor(await readMail(db))),
  );
  app.post("/api/quarantine/drop", withIds, async ({ body, operator }): Promise<Dropped> => {
    return { dropped: await dropQuarantined(db, operator.actor, body.ids) };
  });

  app.get("/api/quarantined-domains", needs("read"), () => readQuarantinedDomains(db));

  const withDays = needs("write", { body: z.object({ domain: text, days: z.literal(QUARANTINE_DAYS) }) });
  app.post("/api/quarantined-domains", withDays, async ({ body: { domain, days }, operator }, reply) =>
    (await quarantineDomain(db, operator.actor, domain, days))
      ? reply.code(204).send()
      : sendProblem(reply, 422, "There is no such domain."),
  );

  const withDomain = needs("write", { body: z.object({ domain: text }) });
  app.post("/api/quarantined-domains/remove", withDomain, async ({ body, operator }, reply) => {
    await stopQuarantining(db, operator.actor, body.domain);
    return reply.code(204).send();
  });

  app.get("/api/moves", needs("read"), () => readMoves(db));

  app.get("/api/moves/preview", needs("read", { querystring: filterSchema }), ({ query }) => previewMove(db, query));

  // Moving and undoing respond once everyone is moved, which takes seconds for tens of thousands.
  const withMove = needs("write", { body: z.object({ filter: filterSchema, upTo: id, withConfirmed: z.boolean() }) });
  app.post("/api/moves", withMove, async ({ body, operator }): Promise<Moved> => {
    return { moved: await movePeople(db, operator.actor, body) };
  });

  app.post("/api/moves/:id/undo", needs("write", withId), async ({ params, operator }): Promise<Moved> => {
    return { moved: await undoMove(db, operator.actor, params.id) };
  });
};
