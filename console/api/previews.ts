import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { brand } from "#brand/brand.ts";
import type { ColorScheme, Preview } from "#console/contract/messages.ts";
import { withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import { PREVIEW_HEADERS } from "#console/http/headers.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { createPreviewStore } from "#console/http/preview-store.ts";
import { refuse } from "#console/http/refuse.ts";
import { createSampleKeys } from "#core/config/keys.ts";
import { sendProblem } from "#core/http/problem.ts";
import type { MessageText } from "#core/mail/rendering/render.ts";
import { readMessage } from "#core/messages/messages.ts";
import { inColorScheme, renderPreview } from "#core/messages/preview.ts";
import { NO_MESSAGE, textFields } from "./messages.ts";

const scheme = z.enum(["light", "dark"]);

/** Renders an email as recipients will see it. Its HTML goes into an iframe with a separate CSP (decision 15). */
export const previewRoutes: ConsoleRoutes = async (app, { db, mail, invitations }) => {
  const store = createPreviewStore();
  // A preview's links don't work, so they need neither the servers' keys nor their origin.
  const links = {
    keys: createSampleKeys(),
    origin: mail?.origin ?? "https://example.com",
    postalAddress: mail?.postalAddress ?? brand.postalAddress,
    invitations,
  };

  async function preview(
    reply: FastifyReply,
    sessionId: string,
    text: MessageText,
    scheme: ColorScheme,
  ): Promise<Preview> {
    const rendered = renderPreview(text, links);
    if ("refused" in rendered) return refuse(reply, rendered);
    // Links target new tabs, which the sandbox blocks, so they open nothing.
    const html = rendered.html.replace("<head>", '<head><base target="_blank">');
    const id = store.add(sessionId, inColorScheme(html, scheme));
    return { path: `/preview/${id}`, from: mail?.from ?? null, subject: rendered.subject, text: rendered.text };
  }

  const schema = { params: z.object({ id: z.string() }) };
  const inFrame = { schema, config: { permission: "read", access: "frame" } } as const;
  app.get("/preview/:id", inFrame, ({ params, operator }, reply) => {
    const html = store.read(operator.sessionId, params.id);
    reply.headers(PREVIEW_HEADERS);
    return html === undefined
      ? reply.code(404).type("text/plain; charset=utf-8").send("This preview has expired.")
      : reply.type("text/html; charset=utf-8").send(html);
  });

  const withScheme = needs("read", { ...withId, querystring: z.object({ scheme }) });
  app.get("/api/messages/:id/preview", withScheme, async ({ params, query, operator }, reply): Promise<Preview> => {
    const message = await readMessage(db, params.id);
    return message ? preview(reply, operator.sessionId, message, query.scheme) : sendProblem(reply, 404, NO_MESSAGE);
  });

  const withText = needs("write", { body: z.object({ ...textFields, scheme }) });
  app.post("/api/previews", withText, async ({ body: { scheme, ...text }, operator }, reply) =>
    preview(reply, operator.sessionId, text, scheme),
  );
};
