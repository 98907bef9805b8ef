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
import { SHARED_BRIEFLY } from "#server/http/caching.ts";
import { PAGE_POLICY } from "#server/http/security-headers.ts";
import { expiredPage, gonePage, memberPage, STYLE_PATH } from "#server/pages/member-page.ts";

export interface MembershipOptions {
  db: Database;
  keys: Keys;
}

/** Where the style sheet looks for it: beside itself. */
const FONT_PATH = STYLE_PATH.replace(/css$/, "woff2");

/** In letters that every file system and header takes. */
const DOWNLOAD_NAME = `${brand.name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.json`;

type Handler = (member: Member, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * The page that the link in a mail leads to. Link scanners open every link and press no button, so a GET changes nothing.
 * No check of where a POST comes from: whoever knows the address of the button holds the key.
 */
export async function membershipRoutes(app: FastifyInstance, { db, keys }: MembershipOptions) {
  const rules = readFileSync(new URL("../pages/member-page.css", import.meta.url), "utf8");
  const style = pageStyle("dark", basename(FONT_PATH)) + rules;
  const font = readFileSync(new URL("../../brand/fonts/sans.woff2", import.meta.url));

  // Mail providers send the one-click form in either way; which it was doesn't matter, and neither does what else it says.
  app.addContentTypeParser(
    ["application/x-www-form-urlencoded", "multipart/form-data"],
    { parseAs: "string" },
    async (_request: unknown, body: string) => body,
  );
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers({
      "cache-control": "no-store",
      "content-security-policy": PAGE_POLICY,
      // The address of this page is the key to it.
      "referrer-policy": "no-referrer",
    });
    done();
  });

  const sendPage = (reply: FastifyReply, page: string) => reply.type("text/html; charset=utf-8").send(page);
  const back = (reply: FastifyReply, request: FastifyRequest) => reply.redirect(addressOf(request), 303);

  /** Only for whoever holds a key that opens. */
  const forMember = (handle: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const token = verifyToken(keys, tokenOf(request));
    const member = token && (await findMember(db, token.id));
    return member && token.isFor(member) ? handle(member, request, reply) : sendPage(reply.code(404), expiredPage());
  };

  app.get(STYLE_PATH, (_request, reply) =>
    reply.header("cache-control", SHARED_BRIEFLY).type("text/css; charset=utf-8").send(style),
  );

  app.get(FONT_PATH, (_request, reply) => reply.header("cache-control", SHARED_BRIEFLY).type("font/woff2").send(font));

  const at = `${MEMBERSHIP_PATH}/:token`;
  app.get(
    at,
    forMember(async (member, request, reply) => sendPage(reply, memberPage(member, addressOf(request)))),
  );
  app.get(
    `${at}/data`,
    forMember(async ({ email_key }, _request, reply) =>
      reply
        .header("content-disposition", `attachment; filename="${DOWNLOAD_NAME}"`)
        .type("application/json; charset=utf-8")
        .send(JSON.stringify(await readPersonData(db, email_key), null, 2)),
    ),
  );
  app.post(
    `${at}/confirm`,
    forMember(async ({ id }, request, reply) => {
      await confirmAddress(db, id);
      return back(reply, request);
    }),
  );
  app.post(
    `${at}/newsletter`,
    forMember(async ({ id }, request, reply) => {
      const wanted = new URLSearchParams(String(request.body)).get("wanted");
      if (wanted === "yes" || wanted === "no") await setNewsletter(db, id, wanted === "yes");
      return back(reply, request);
    }),
  );
  app.post(
    `${at}/unsubscribe`,
    forMember(async ({ id }, _request, reply) => {
      await setNewsletter(db, id, false);
      await stopConfirmations(db, id);
      return reply.code(204).send();
    }),
  );
  // Where a mail program opens the address instead of posting to it, its reader comes to the button.
  app.get(
    `${at}/unsubscribe`,
    forMember(async (_member, request, reply) => back(reply, request)),
  );
  app.post(
    `${at}/leave`,
    forMember(async ({ email_key }, _request, reply) => {
      await erase(db, email_key, addressHash(keys, email_key));
      return sendPage(reply, gonePage());
    }),
  );
}

function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token;
}

function addressOf(request: FastifyRequest): string {
  return `${MEMBERSHIP_PATH}/${tokenOf(request)}`;
}
