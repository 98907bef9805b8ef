import MimeNode from "nodemailer/lib/mime-node";
import { expect, test } from "vitest";
import { signUpSchema } from "#contract/sign-up.ts";
import { emailKey, recipientOf } from "#core/people/address.ts";
import { personColumns } from "#core/people/person-columns.ts";

const NAMES = { firstName: "Ada", lastName: "Lovelace", company: "", newsletter: false, website: "" };
/** Unassigned, private-use and surrogate code points. Normalization keeps them, and no address may have them. */
const UNUSED = /[\p{Cn}\p{Co}\p{Cs}]/u;
const CHUNK_SIZE = 16;

const characters = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(
  (character) => !UNUSED.test(character),
);
const schema = signUpSchema.shape.email;
/** Contains no character that separates or quotes addresses. */
const ONE_ADDRESS = /^[^\s"(),:;<>@[\\\]]+@[^\s"(),:;<>@[\\\]]+$/;
const node = new MimeNode("text/plain");

type Result = "refused" | "one address" | "another address";

function follow(typed: string): Result {
  const checked = schema.safeParse(typed).data;
  const stored = checked === undefined ? undefined : personColumns({ ...NAMES, email: checked });
  if (!stored) return "refused";
  const isStored = stored.email === checked && schema.safeParse(checked).data === checked;
  const [sent, ...others] = node.setHeader("to", recipientOf(stored.email)).getEnvelope().to;
  const isSent = sent !== undefined && ONE_ADDRESS.test(sent) && emailKey(sent) === stored.email_key;
  return isStored && isSent && others.length === 0 ? "one address" : "another address";
}

type Found = Record<Result, string[]>;

/** Tries many characters in one address first, to take only a tenth of the time. */
function sweep(parts: string[], toAddress: (text: string[]) => string, found: Found): void {
  const result = follow(toAddress(parts));
  if (result === "one address" || parts.length === 1) {
    found[result].push(...parts);
    return;
  }
  const middle = Math.ceil(parts.length / 2);
  for (const half of [parts.slice(0, middle), parts.slice(middle)]) sweep(half, toAddress, found);
}

test.each<[string, (parts: string[]) => string]>([
  ["local part", (parts) => `n0${parts.join("x")}victim@example.org`],
  // Before a label without cased letters, toLowerCase() turns Σ into ς, which would be another domain.
  ["domain", (parts) => `n0@victim${parts.join(".1x")}.中国`],
])("whatever character is in the %s, we check, store, key and send to one address", (_part, toAddress) => {
  const found: Found = { refused: [], "one address": [], "another address": [] };
  for (let start = 0; start < characters.length; start += CHUNK_SIZE)
    sweep(characters.slice(start, start + CHUNK_SIZE), toAddress, found);
  expect(found["another address"].map((character) => `U+${character.codePointAt(0)?.toString(16)}`)).toEqual([]);
  expect(found["one address"].length).toBeGreaterThan(140_000);
});
