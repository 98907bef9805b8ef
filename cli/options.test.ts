import { expect, test, vi } from "vitest";
import { createProgram } from "./program.ts";

test.each([
  ["list --campain launch", "commander.unknownOption"],
  ["export --campain launch", "commander.unknownOption"],
  ["export --confirmed no", "commander.excessArguments"],
  ["invite --all --campain launch", "commander.unknownOption"],
  ["message new --subject Hi --body hi.md --campain launch", "commander.unknownOption"],
  ["message edit 12 --campain launch", "commander.unknownOption"],
])("%s is refused, because without the misspelled filter it would be about everyone", async (command, code) => {
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await expect(createProgram().parseAsync(command.split(" "), { from: "user" })).rejects.toMatchObject({ code });
  stderr.mockRestore();
});
