import type { Uninvited } from "#console/contract/waves.ts";
import { withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { sendProblem } from "#core/http/problem.ts";
import { makeAcceptanceSecret } from "#core/invitations/acceptance-secrets.ts";
import { uninviteWave } from "#core/invitations/uninvite.ts";
import { readTakenBack, readWaveResults } from "#core/invitations/wave-results.ts";

const MAX_LISTED = 200;
// The team's console has no invitation keys.
const NO_KEYS = "This console can't list the IDs.";

export const waveRoutes: ConsoleRoutes = async (app, { db, mail, invitations }) => {
  app.get("/api/waves", needs("read"), () => readWaveResults(db, MAX_LISTED));

  app.get("/api/waves/:id/taken-back", needs("read", withId), async ({ params }, reply) => {
    if (mail && !("smtpUrl" in mail)) return sendProblem(reply, 409, NO_KEYS);
    return invitations ? readTakenBack(db, invitations.keys, params.id) : [];
  });

  app.post("/api/acceptance-secrets", needs("administer"), ({ operator }) => makeAcceptanceSecret(db, operator.actor));

  // Responds once the whole wave is uninvited, which takes seconds for a large one.
  const options = needs("write", withId);
  app.post("/api/waves/:id/uninvite", options, async ({ params: { id }, operator }, reply): Promise<Uninvited> => {
    const uninvited = await uninviteWave(db, operator.actor, id);
    return uninvited ? { uninvited } : sendProblem(reply, 409, `Nobody is in wave ${id}.`);
  });
};
