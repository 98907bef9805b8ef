import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("tasks run one after another in the order they were given, even after one fails", async () => {
  const inTurn = createTurns();
  const log: string[] = [];
  const task = (name: string, ms: number) => async () => {
    log.push(`${name} starts`);
    await pause(ms);
    log.push(`${name} ends`);
    if (name === "first") throw new Error("failed");
    return name;
  };
  const results = await Promise.allSettled([inTurn(task("first", 20)), inTurn(task("second", 0))]);
  expect(log).toEqual(["first starts", "first ends", "second starts", "second ends"]);
  expect(results).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: "second" }]);
});
