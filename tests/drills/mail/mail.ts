/**
 * `npm run drill -- mail [--people=10000] [--kills=20] [--absence=120]`: a wave to the whole list from two workers, one
 * of which is killed again and again, to a mail server that fails and is away, while people leave. The negative
 * controls are smaller.
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startOpenSmtpd } from "#tests/support/open-smtpd.ts";
import { saveResults } from "#tests/support/results.ts";
import { startFaultySmtp, toArrival } from "./faulty-smtp.ts";
import { type Outcome, runWave, type WaveOptions } from "./wave.ts";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "10000" },
    kills: { type: "string", default: "20" },
    absence: { type: "string", default: "120" },
  },
});

async function runFaulty(options: Pick<WaveOptions, "people" | "kills" | "control">, absenceS: number) {
  const smtp = await startFaultySmtp();
  const outcome = await runWave({
    ...options,
    smtpUrl: smtp.url,
    arrivals: async () => smtp.arrivals,
    async interrupt() {
      await smtp.goAway();
      await pause(absenceS * 1000);
      await smtp.comeBack();
    },
  });
  await smtp.goAway();
  return outcome;
}

const isClean = ({ lost, copies, copiesAllowed, sentAfterLeaving, failures }: Outcome) =>
  lost === 0 && copies <= copiesAllowed && sentAfterLeaving === 0 && failures.length === 0;

/** A smaller wave into OpenSMTPD's maildir, with kills only. */
async function runOpenSmtpd(): Promise<Outcome> {
  const smtp = await startOpenSmtpd();
  const outcome = await runWave({
    people: 300,
    kills: 3,
    smtpUrl: smtp.url,
    arrivals: async () => (await smtp.inbox()).map((mail) => toArrival(String(mail))),
    interrupt: async () => {},
  });
  await smtp.stop();
  return outcome;
}

/** Each removes a safeguard, which this must find. */
const controls = [
  { name: "record-in-batches", finds: ({ copies, copiesAllowed }: Outcome) => copies > copiesAllowed },
  { name: "ignore-recipients", finds: ({ sentAfterLeaving }: Outcome) => sentAfterLeaving > 0 },
];

const { failures, ...audit } = await runFaulty(
  { people: Number(values.people), kills: Number(values.kills) },
  Number(values.absence),
);
console.log("wave", audit, ...failures);
let passed = isClean({ ...audit, failures }) && audit.kills === Number(values.kills);
const openSmtpd = await runOpenSmtpd();
console.log("wave into OpenSMTPD", openSmtpd);
passed &&= isClean(openSmtpd);
for (const { name, finds } of controls) {
  const outcome = await runFaulty({ people: 1000, kills: 4, control: `tests/drills/mail/controls/${name}.ts` }, 2);
  const isFound = finds(outcome);
  console.log(`control ${name}`, isFound ? "fails, as it must" : "PASSED", outcome);
  passed &&= isFound;
}
await saveResults("mail", { ...audit, passed });
console.log(passed ? "passed" : "FAILED");
process.exitCode = passed ? 0 : 1;
