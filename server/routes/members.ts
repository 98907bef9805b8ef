import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { brand } from "#brand/brand.ts";
import { pageStyle } from "#brand/style.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import type { Database } from "#core/database/connect.ts";
import type { Keys } from "#core/keys.ts";
import { stopConfirmations } from "#core/mail/outbox.ts";
import { verifyToken } from "#core/members/links.ts";
import { confirmAddress, findMember, type Member, setNewsletter } from "#core/members/store.ts";
import { addressHash, erase } from "#core/waitlist/erase.ts";
import { readPersonData } from "#core/waitlist/person-data.ts";
import { SHORT_LIVED } from "#server/http/caching.ts";
import { PAGE_POLICY } from "#server/http/security-headers.ts";
import { erasedPage, invalidLinkPage, memberPage, STYLE_PATH } from "#server/pages/member-page.ts";

export interface MembershipOptions {
  db: Database;
  keys: Keys;
}

/** The style sheet refers to it by a relative URL. */
const FONT_PATH = STYLE_PATH.replace(/css$/, "woff2");

/** Only characters that every file system and header accepts. */
const DOWNLOAD_NAME = `${brand.name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.json`;

type Handler = (member: Member, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * The page behind the link in a mail. Link scanners open every link but press no button, so a GET changes nothing. No
 * CSRF check: anyone who knows a button's URL already has the token.
 */
export async function membershipRoutes(app: FastifyInstance, { db, keys }: MembershipOptions) {
  const rules = readFileSync(new URL("../pages/member-page.css", import.meta.url), "utf8");
  const style = pageStyle("dark", basename(FONT_PATH)) + rules;
  const font = readFileSync(new URL("../../brand/fonts/sans.woff2", import.meta.url));

  // Mail providers send one-click unsubscribe in either encoding; neither that nor the rest of the body matters.
  app.addContentTypeParser(
    ["application/x-www-form-urlencoded", "multipart/form-data"],
    { parseAs: "string" },
    async (_request: unknown, body: string) => body,
  );
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers({
      "cache-control": "no-store",
      "content-security-policy": PAGE_POLICY,
      // The URL of this page contains its token, which must not leak.
      "referrer-policy": "no-referrer",
    });
    done();
  });

  const sendPage = (reply: FastifyReply, page: string) => reply.type("text/html; charset=utf-8").send(page);
  const redirectBack = (reply: FastifyReply, request: FastifyRequest) => reply.redirect(pagePath(request), 303);

  /** Runs the handler only if the token in the URL is valid. */
  const forMember = (handle: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const token = verifyToken(keys, tokenOf(request));
    const member = token && (await db.breaker.read(() => findMember(db, token.id)));
    if (!member || !token.isFor(member)) return sendPage(reply.code(404), invalidLinkPage());
    const { breaker } = db;
    return (request.method === "POST" ? breaker.write : breaker.read)(() => handle(member, request, reply));
  };

  app.get(STYLE_PATH, (_request, reply) =>
    reply.header("cache-control", SHORT_LIVED).type("text/css; charset=utf-8").send(style),
  );

  app.get(FONT_PATH, (_request, reply) => reply.header("cache-control", SHORT_LIVED).type("font/woff2").send(font));

  const path = `${MEMBERSHIP_PATH}/:token`;
  app.get(
    path,
    forMember(async (member, request, reply) => sendPage(reply, memberPage(member, pagePath(request)))),
  );
  app.get(
    `${path}/data`,
    forMember(async ({ email_key }, _request, reply) =>
      reply
        .header("content-disposition", `attachment; filename="${DOWNLOAD_NAME}"`)
        .type("application/json; charset=utf-8")
        .send(JSON.stringify(await readPersonData(db, email_key), null, 2)),
    ),
  );
  app.post(
    `${path}/confirm`,
    forMember(async ({ id }, request, reply) => {
      await confirmAddress(db, id);
      return redirectBack(reply, request);
    }),
  );
  app.post(
    `${path}/newsletter`,
    forMember(async ({ id }, request, reply) => {
      const wanted = new URLSearchParams(String(request.body)).get("wanted");
      if (wanted === "yes" || wanted === "no") await setNewsletter(db, id, wanted === "yes");
      return redirectBack(reply, request);
    }),
  );
  app.post(
    `${path}/unsubscribe`,
    forMember(async ({ id }, _request, reply) => {
      await setNewsletter(db, id, false);
      await stopConfirmations(db, id);
      return reply.code(204).send();
    }),
  );
  // Mail clients that open the URL instead of posting to it show the page with the button.
  app.get(
    `${path}/unsubscribe`,
    forMember(async (_member, request, reply) => redirectBack(reply, request)),
  );
  app.post(
    `${path}/leave`,
    forMember(async ({ email_key }, _request, reply) => {
      await erase(db, email_key, addressHash(keys, email_key));
      return sendPage(reply, erasedPage());
    }),
  );
}

function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token;
}

function pagePath(request: FastifyRequest): string {
  return `${MEMBERSHIP_PATH}/${tokenOf(request)}`;
}
