import swagger from "@fastify/swagger";
import fastify from "fastify";
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { brand } from "#brand/brand.ts";
import { createKeys } from "#core/config/keys.ts";
import { connect } from "#core/database/connect.ts";
import { acceptanceRoutes } from "#server/routes/acceptances.ts";
import { invitationRoutes } from "#server/routes/invitations.ts";
import { waitlistRoutes } from "#server/routes/waitlist.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

export async function openApiDocument(): Promise<object> {
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(swagger, {
    openapi: { openapi: "3.1.0", info: { title: `${brand.name} waitlist`, version: "1" } },
    transform: jsonSchemaTransform,
  });
  // No database listens here, and describing routes needs none.
  const db = connect("postgres://localhost:1/unused");
  await app.register(waitlistRoutes, { db, ...unlimited });
  // No real secret or key, because the document's routes are never called.
  const invitations = { url: "", issuer: "", lifetimeDays: 1, keys: createKeys("") };
  await app.register(invitationRoutes, invitations);
  await app.register(acceptanceRoutes, { db, ...unlimited, invitations });
  await app.ready();
  return app.swagger();
}
