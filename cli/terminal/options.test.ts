import { expect, test, vi } from "vitest";
import { createProgram } from "#cli/program.ts";
import { Command } from "./command.ts";
import { addFilters, readFilter } from "./options.ts";

async function refusal(command: string): Promise<unknown> {
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const refused = createProgram().parseAsync(command.split(" "), { from: "user" });
  return refused.catch(({ code }) => code).finally(() => stderr.mockRestore());
}

test.each([
  ["list --campain launch", "commander.unknownOption"],
  ["export --campain launch", "commander.unknownOption"],
  ["export --confirmed no", "commander.excessArguments"],
  ["invite --all --campain launch", "commander.unknownOption"],
  ["message new --subject Hi --body hi.md --campain launch", "commander.unknownOption"],
  ["message edit 12 --campain launch", "commander.unknownOption"],
])("%s is refused, because without the misspelled filter it would be about everyone", async (command, code) => {
  expect(await refusal(command)).toBe(code);
});

test("a repeated filter matches any of its names", () => {
  const command = addFilters(new Command(), ["source", "wave"]);
  command.parse(["--source", "qr", "--source", "ads", "--wave", "1", "--wave", "2"], { from: "user" });
  expect(readFilter(command.opts())).toEqual({ source: "qr\nads", wave: "2" });
});

test("a webhook can't send both numbers only and contacts", async () => {
  expect(await refusal("webhooks add https://example.com --slack --contact")).toBe("commander.conflictingOption");
});
