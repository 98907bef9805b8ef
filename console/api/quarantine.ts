import * as z from "zod/mini";
import { type BroughtBack, type Dropped, QUARANTINE_DAYS, type SetAside } from "#console/contract/people.ts";
import { may } from "#console/contract/roles.ts";
import { filterSchemas, id, text, withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { readQuarantined } from "#console/json/people.ts";
import { sendProblem } from "#core/http/problem.ts";
import { resendFor } from "#core/mail/queue/flag-mail.ts";
import { readMail } from "#core/mail/switch.ts";
import { bringBack, previewSetAside, readSetAside, setAside } from "#core/members/set-aside.ts";
import { dropQuarantined, release } from "#core/sign-ups/quarantine.ts";
import { MAX_QUARANTINED } from "#core/sign-ups/quarantine-size.ts";
import { quarantineDomain, readQuarantinedDomains, stopQuarantining } from "#core/sign-ups/quarantined-domains.ts";

const withIds = needs("write", {
  body: z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(MAX_QUARANTINED)) }),
});

/** Without a filter, everyone would be set aside. */
const hasFilter = z.refine((filter) => Object.values(filter as object).some((value) => value !== undefined));
const filterSchema = z.strictObject(filterSchemas()).check(hasFilter);

export const quarantineRoutes: ConsoleRoutes = async (app, { db, reads = db }) => {
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

  app.get("/api/set-aside", needs("read"), () => readSetAside(db));

  const withFilter = needs("read", { querystring: filterSchema }, "count");
  app.get("/api/set-aside/preview", withFilter, ({ query }) => previewSetAside(reads, query));

  // These respond once they are done with everyone, which takes seconds for tens of thousands.
  const withBody = needs("write", { body: z.object({ filter: filterSchema, upTo: id, withConfirmed: z.boolean() }) });
  app.post("/api/set-aside", withBody, async ({ body, operator }, reply): Promise<SetAside> => {
    // Confirmed people are real, and the purge deletes them 30 days later.
    if (body.withConfirmed && !may(operator.role, "erase"))
      return reply.code(403).send({ detail: "Your role doesn't allow setting aside people who confirmed." });
    return { setAside: await setAside(db, operator.actor, body) };
  });

  app.post(
    "/api/set-aside/:id/bring-back",
    needs("write", withId),
    async ({ params, operator }): Promise<BroughtBack> => {
      return { broughtBack: await bringBack(db, operator.actor, params.id) };
    },
  );
};
