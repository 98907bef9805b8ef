import type { Uninvited } from "#console/contract/messages.ts";
import { uninviteWave } from "#core/invitations/uninvite.ts";
import { readWaveResults } from "#core/invitations/wave-results.ts";
import { withId } from "./filter.ts";
import type { ConsoleRoutes } from "./parts.ts";

const MAX_LISTED = 200;

export const waveRoutes: ConsoleRoutes = async (app, { db, actor, isReadOnly }) => {
  app.get("/api/waves", () => readWaveResults(db, MAX_LISTED));

  if (isReadOnly) return;

  // Responds once the whole wave is uninvited, which takes seconds for a large one.
  app.post("/api/waves/:id/uninvite", withId, async ({ params: { id } }, reply): Promise<Uninvited> => {
    const uninvited = await uninviteWave(db, actor, id);
    return uninvited ? { uninvited } : reply.code(409).send({ detail: `Nobody is in wave ${id}.` });
  });
};
