import { monitorEventLoopDelay } from "node:perf_hooks";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { setNewsletter } from "#core/members/member.ts";
import { erase } from "#core/retention/erase.ts";
import { SECRET } from "#tests/support/cli.ts";
import { type ConsoleApi, openConsoleApi, useConsoleApi, WITHOUT_MAIL } from "#tests/support/console-api.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { addPeople } from "#tests/support/people.ts";
import { addQuestions, TEAM_SIZE } from "#tests/support/questions.ts";
import { keyOf } from "#tests/support/sign-ups.ts";

const context = useConsoleApi();
const keys = createKeys(SECRET);
let api: ConsoleApi;
beforeAll(async () => {
  api = await openConsoleApi({ db: context.db, ...WITHOUT_MAIL, keys });
});
afterAll(() => api.close());

const FAIR = { source: "Trade fair" };
const fileOf = (...names: string[]) =>
  `Email,Name,Phone\n${names.map((name) => `${name}@example.com,Ada Lovelace,1\n`).join("")}`;
const COLUMNS = "email, newsletter, mail_network, utm ->> 'source' as source";
const people = async () => (await context.db.pool.query(`select ${COLUMNS} from sign_ups order by id`)).rows;

test("a preview says what became of each column, how many are new, and who is refused", async () => {
  const [size] = await addQuestions(context.db, TEAM_SIZE);
  const names = ["known", "left", "bounced"].map((name) => ({ email: `${name}@example.com`, confirmed: false }));
  const [, left = ""] = await addPeople(context.db, names);
  await setNewsletter(context.db, null, left, false);
  await sql`update sign_ups set suppressed_at = now() where email like 'bounced%'`.execute(context.db);
  await erase(context.db, null, keyOf("erased@example.com"), keys);
  const before = await people();
  const rows = ["new,Ada Lovelace", "known,A B", "left,A B", "bounced,A B", "erased,A B", "x y,A B", "new,A B"];
  const file = `Email,name,Name,Phone,answer${size?.id}: Size\n${rows.map((row) => row.replace(",", "@example.com,")).join("\n")}`;
  const { json } = await api.post("/api/imports/preview", { file, ...FAIR });
  expect(json).toEqual({
    columns: [
      { title: "Email", becomes: "Email" },
      { title: "name", becomes: "Name" },
      { title: "Name" },
      { title: "Phone" },
      { title: `answer${size?.id}: Size`, becomes: TEAM_SIZE.text },
    ],
    people: 1,
    counts: "1 new, 2 already on the list, 4 refused: 1 unsubscribed, 1 suppressed, 1 erased before, 1 invalid",
    refused: [
      "Row 4: left@example.com, unsubscribed",
      "Row 5: bounced@example.com, suppressed",
      "Row 6: erased@example.com, erased before",
      expect.stringMatching(/^Row 7: .*email/),
    ],
    others: 0,
  });
  expect(await people()).toEqual(before);
});

test("a preview lists the first 20 refused rows", async () => {
  const file = `email\n${"no address\n".repeat(25)}`;
  const { json } = await api.post("/api/imports/preview", { file, ...FAIR });
  expect(json).toMatchObject({ counts: "0 new, 25 refused: 25 invalid", others: 5 });
  expect(json.refused).toHaveLength(20);
});

test.each([true, false])("an import asks people to confirm only if the servers send mail: %s", async (isMailed) => {
  await switchMail(context.db, isMailed);
  const file = fileOf("ada", "bob");
  expect((await api.post("/api/imports", { file, ...FAIR })).json).toEqual({ imported: 2, isMailed });
  const person = { newsletter: false, mail_network: isMailed ? 0 : null, source: "Trade fair" };
  expect(await people()).toMatchObject([person, person]);
});

test("an import is recorded under the operator's name, and is set aside and brought back by its filter", async () => {
  await api.post("/api/imports", { file: fileOf("ada", "bob"), wording: "Keep me posted.", ...FAIR });
  expect(await people()).toMatchObject([{ newsletter: true }, { newsletter: true }]);
  expect((await api.get("/api/imports")).json).toMatchObject([{ source: "Trade fair", people: 2 }]);
  const { upTo } = (await api.get("/api/set-aside/preview?import=Trade+fair")).json;
  const filter = { import: "Trade fair" };
  expect((await api.post("/api/set-aside", { filter, upTo, withConfirmed: false })).json).toEqual({ setAside: 2 });
  expect((await api.get("/api/imports")).json).toEqual([]);
  const [{ id }] = (await api.get("/api/set-aside")).json;
  expect((await api.post(`/api/set-aside/${id}/bring-back`)).json).toEqual({ broughtBack: 2 });
  const { entries } = (await api.get("/api/activity")).json;
  expect(entries.map(({ actor, phrases }: { actor: string; phrases: object }) => ({ actor, phrases }))).toEqual(
    ["brought 2 people back", "set 2 people aside", "imported 2 people"].map((text) => {
      return { actor: "ada", phrases: [{ text }] };
    }),
  );
});

test.each([
  ["without a column of addresses", { file: "Name\nAda\n" }, 422],
  ["that is empty", { file: "" }, 422],
  ["without a source", { file: fileOf("ada"), source: "" }, 400],
  ["with an empty wording", { file: fileOf("ada"), wording: "" }, 400],
  ["larger than 4 MB as JSON", { file: fileOf("ada").padEnd(4_000_001) }, 413],
])("a file %s is refused", async (_name, body, status) => {
  for (const path of ["/api/imports/preview", "/api/imports"])
    expect((await api.post(path, { ...FAIR, ...body })).status).toBe(status);
  expect(await people()).toEqual([]);
});

test("a file of 2 MB fits, even if JSON escapes each of its characters", async () => {
  const file = `email,name\n${`ada@example.com,"${'""'.repeat(495_000)}"\n`.repeat(2)}`;
  const { status, json } = await api.post("/api/imports/preview", { file, ...FAIR });
  expect([status, json.counts]).toEqual([200, "0 new, 2 refused: 2 invalid"]);
});

const manyRows = (rows: number) => `email,name\n${Array.from({ length: rows }, (_, n) => `p${n}@x.io,A B\n`).join("")}`;

test("a preview of 50,000 rows leaves the event loop to other requests, and more rows are refused", async () => {
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const { status, json } = await api.post("/api/imports/preview", { file: manyRows(50_000), ...FAIR });
  loop.disable();
  expect([status, json.people]).toEqual([200, 50_000]);
  expect(loop.max / 1e6).toBeLessThan(250);
  const refused = await api.post("/api/imports/preview", { file: manyRows(50_001), ...FAIR });
  expect(refused).toMatchObject({
    status: 422,
    json: { detail: "This file has more than 50,000 rows. Split it." },
  });
});

test("a console without the key for erasures imports nobody, because it can't recognize the erased", async () => {
  const { status, json } = await context.api.post("/api/imports", { file: fileOf("ada"), ...FAIR });
  expect([status, json.detail]).toEqual([422, expect.stringContaining("ERASURE_KEY")]);
  expect(await people()).toEqual([]);
});
