import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { withinTime } from "#core/database/transaction.ts";
import { friendLink } from "#core/links/friend-links.ts";
import { asOfMidnight } from "#core/members/friends.ts";
import { countAhead } from "#core/members/line.ts";
import type { Member } from "#core/members/member.ts";
import { oneAtATime } from "#server/limits/one-at-a-time.ts";
import { line, SCRIPT_PATH } from "#server/pages/line-section.ts";
import { serveAsset } from "./member-assets.ts";
import type { TokenOptions } from "./member-replies.ts";

/** After a bulk load of 700,000 people without a vacuum, counting takes a second. */
const PLACE_TIMEOUT_MS = 300;
/** One connection counts places, so that others are free for withdrawals. Beyond this, pages are shown without a place. */
const MAX_WAITING_FOR_PLACE = 5;

/** Serves the script of the section about a member's place, and returns the function that renders the section. */
export function lineSections(app: FastifyInstance, { db, keys, mail, publicOrigin }: TokenOptions) {
  const script = readFileSync(new URL("../pages/copy-link.js", import.meta.url), "utf8");
  serveAsset(app, SCRIPT_PATH, "text/javascript; charset=utf-8", script);
  const countInTurn = oneAtATime(MAX_WAITING_FOR_PLACE);
  /** Without mail, nobody is asked to confirm, so there is no line. */
  return async (member: Member) => {
    if (!mail || !publicOrigin || !member.line_at) return [];
    const { friends } = asOfMidnight(member);
    const count = () => withinTime(db, (tx) => countAhead(tx, member.id, member.friends - friends), PLACE_TIMEOUT_MS);
    const ahead = await countInTurn("place", count)?.catch((reason) => {
      app.log.warn(reason, "Could not count a place");
      return null;
    });
    const counted = member.friends_voided_at ? "void" : friends;
    return [line({ ahead, friends: counted, link: friendLink(keys, member, publicOrigin) })];
  };
}
