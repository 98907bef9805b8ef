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
  ["export --campain launch", "commander.unknownOption"],
  ["export --confirmed no", "commander.excessArguments"],
  ["invite 500 --campaign launch", "commander.unknownOption"],
])("%s is refused, because without the misspelled filter it would be about everyone", async (command, code) => {
  expect(await refusal(command)).toBe(code);
});

test("a repeated filter matches any of its names", () => {
  const command = addFilters(new Command(), ["source", "wave"]);
  command.parse(["--source", "qr", "--source", "ads", "--wave", "1", "--wave", "2"], { from: "user" });
  expect(readFilter(command.opts())).toEqual({ source: "qr\nads", wave: "2" });
});
