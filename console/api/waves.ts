import type { FastifyPluginAsync } from "fastify";
import type { Wave } from "#console/contract/messages.ts";
import { readWaveResults } from "#core/waitlist/wave-results.ts";
import type { ConsoleParts } from "./parts.ts";

const MAX_LISTED = 200;

export const waveRoutes: FastifyPluginAsync<ConsoleParts> = async (app, { db }) => {
  app.get("/api/waves", async (): Promise<Wave[]> => {
    const waves = await readWaveResults(db, MAX_LISTED);
    return waves.map((wave) => ({ ...wave, invitedAt: wave.invitedAt.toISOString() }));
  });
};
