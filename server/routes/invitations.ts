import type { FastifyInstance } from "fastify";
import { INVITATION_KEYS_PATH } from "#contract/paths.ts";
import type { Keys } from "#core/config/keys.ts";
import { invitationKeys } from "#core/links/invitation-tokens.ts";

/** Five minutes, so that a withdrawn key soon disappears from caches, but verifiers rarely fetch. */
const CACHE_CONTROL = "public, max-age=300";

/** The public keys that the product verifies invitations with. No CORS, because servers verify, not browsers. */
export async function invitationRoutes(app: FastifyInstance, { keys }: { keys: Keys }) {
  const body = JSON.stringify(await invitationKeys(keys));
  app.get(
    INVITATION_KEYS_PATH,
    {
      schema: {
        summary: "The public keys of invitations",
        description: "A JWK Set (RFC 7517) of Ed25519 keys; the first one signs. 404 unless INVITE_URL is set.",
      },
      config: { limit: "memory" },
    },
    (_request, reply) => reply.header("cache-control", CACHE_CONTROL).type("application/jwk-set+json").send(body),
  );
}
