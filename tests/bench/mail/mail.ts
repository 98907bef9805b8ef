/**
 * `npm run bench -- mail [--turns=12] [--people=1000000]`: how much mail slows down sign-ups, and how long it takes to
 * claim emails while everyone is due one, to prepare an announcement, and to prepare invitations.
 */
import { parseArgs } from "node:util";
import { saveResults } from "#tests/support/results.ts";
import { measureClaims } from "./claims.ts";
import { measurePosts } from "./posts.ts";
import { measurePrepare } from "./prepare.ts";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "12" },
    people: { type: "string", default: "1000000" },
  },
});
const people = Number(values.people);
const rounded = (value: number) => Number(value.toFixed(2));

const results = {
  postRatio: rounded(await measurePosts(Number(values.turns))),
  claimP95Ms: rounded(await measureClaims(people)),
  prepareSeconds: rounded(await measurePrepare("announcement", people)),
  prepareInvitationSeconds: rounded(await measurePrepare("invitation", people)),
};
console.table(results);
await saveResults("mail-bench", results);
