import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { withinTime } from "#core/database/transaction.ts";
import { friendLink } from "#core/links/friend-links.ts";
import { countPlace } from "#core/members/line.ts";
import type { Member } from "#core/members/member.ts";
import { oneAtATime } from "#core/service/one-at-a-time.ts";
import { placeHeading, SCRIPT_PATH, shareSection } from "#server/pages/line-section.ts";
import { serveAsset } from "./member-assets.ts";
import type { TokenOptions } from "./member-replies.ts";

/** Gives up on a slow count: after a bulk load of 700,000 people without a vacuum, counting takes a second. */
const PLACE_TIMEOUT_MS = 300;
/** Only one connection counts places, which leaves others for withdrawals. Pages queued beyond this show no place. */
const MAX_WAITING_FOR_PLACE = 5;

/** Serves the share section's script. Returns the function that renders a member's place and share section. */
export function lineSections(app: FastifyInstance, { db, keys, mail, publicOrigin }: TokenOptions) {
  const script = readFileSync(new URL("../pages/copy-link.js", import.meta.url), "utf8");
  serveAsset(app, SCRIPT_PATH, "text/javascript; charset=utf-8", script);
  const countInTurn = oneAtATime(MAX_WAITING_FOR_PLACE);
  /** Without mail, nobody is asked to confirm, so there is no line. */
  return async (member: Member) => {
    if (!mail || !publicOrigin || !member.line_at) return {};
    const gained = member.friends_gained;
    const count = () => withinTime(db, (tx) => countPlace(tx, member.id, gained), PLACE_TIMEOUT_MS);
    const place = await countInTurn("place", count)?.catch((reason) => {
      app.log.warn(reason, "Could not count a place");
      return null;
    });
    const counted = member.friends ?? "void";
    return {
      heading: place ? placeHeading(place, counted, gained) : undefined,
      sections: [shareSection(counted, friendLink(keys, member, publicOrigin))],
    };
  };
}
