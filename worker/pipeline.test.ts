import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPipeline } from "./pipeline.ts";

/** Tasks that log what they do. The mail goes out once the one before is recorded, as in deliver.ts. */
function createTasks() {
  const pipeline = createPipeline();
  const log: string[] = [];
  const step = async (text: string, ms: number) => {
    await pause(ms);
    log.push(text);
  };
  const run = (name: string, { fails = false, sends = true } = {}) =>
    pipeline({
      async send(previousRecorded) {
        await step(`${name} claimed`, 5);
        if (!sends) return;
        await previousRecorded;
        await step(`${name} sent`, 5);
      },
      async record() {
        await step(`${name} recorded`, sends ? 30 : 0);
        if (fails) throw new Error("failed");
        return name;
      },
    });
  return { run, log };
}

test("a task starts while the mail before is recorded, and sends its own only after that", async () => {
  const { run, log } = createTasks();
  expect(await Promise.all([run("first"), run("second")])).toEqual(["first", "second"]);
  expect(log).toEqual([
    "first claimed",
    "first sent",
    "second claimed",
    "first recorded",
    "second sent",
    "second recorded",
  ]);
});

test("a failed task doesn't block the next one", async () => {
  const { run, log } = createTasks();
  const results = await Promise.allSettled([run("first", { fails: true }), run("second")]);
  expect(results).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: "second" }]);
  expect(log.indexOf("second sent")).toBeGreaterThan(log.indexOf("first recorded"));
});

test("a mail isn't sent before the last but one is recorded if the one in between is skipped", async () => {
  const { run, log } = createTasks();
  await Promise.all([run("first"), run("skipped", { sends: false }), run("third")]);
  expect(log.indexOf("third sent")).toBeGreaterThan(log.indexOf("first recorded"));
});
