/**
 * `node tools/release/notes.ts v1.2.3` prints that version's release notes from the changelog. Refuses a tag that
 * doesn't match package.json and the changelog.
 */
import { readFileSync } from "node:fs";

const [tag = ""] = process.argv.slice(2);
const { version }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
const sections = readFileSync("CHANGELOG.md", "utf8").split(/^## /m).slice(1);
const [title = "", ...changes] = sections.find((section) => section.split(/\s/, 1)[0] === version)?.split("\n") ?? [];

if (tag !== `v${version}`) refuse(`package.json has the version ${version}`);
if (!title) refuse(`CHANGELOG.md has no section ${version}`);
if (!/^\S+ \(\d{4}-\d{2}-\d{2}\)$/.test(title)) refuse(`CHANGELOG.md has no date for ${version}`);
console.log(changes.join("\n").trim());

function refuse(reason: string): never {
  console.error(`${tag} can't be released: ${reason}`);
  process.exit(1);
}
