/**
 * `npm run bench -- mail [--turns=12] [--waiting=100000] [--sign-ups=60] [--people=1000000]`: how fast mail is sent,
 * what it costs sign-ups, how long claiming takes with everyone's mail due, how long a confirmation takes behind an
 * announcement, and how long preparing one and preparing invitations takes.
 */
import { parseArgs } from "node:util";
import { saveResults } from "#tests/support/results.ts";
import { measureClaims } from "./claims.ts";
import { measureConfirmations } from "./confirmations.ts";
import { measurePosts } from "./posts.ts";
import { measurePrepare } from "./prepare.ts";
import { measureSender } from "./sender.ts";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "12" },
    waiting: { type: "string", default: "100000" },
    "sign-ups": { type: "string", default: "60" },
    people: { type: "string", default: "1000000" },
  },
});
const turns = Number(values.turns);
const people = Number(values.people);
const rounded = (value: number) => Number(value.toFixed(2));

const results = {
  senderRatio: rounded(await measureSender(turns)),
  postRatio: rounded(await measurePosts(turns)),
  claimP95Ms: rounded(await measureClaims(people)),
  confirmationP95Ms: Math.round(await measureConfirmations(Number(values.waiting), Number(values["sign-ups"]))),
  prepareSeconds: rounded(await measurePrepare("announcement", people)),
  prepareInvitationSeconds: rounded(await measurePrepare("invitation", people)),
};
console.table(results);
await saveResults("mail-bench", results);
