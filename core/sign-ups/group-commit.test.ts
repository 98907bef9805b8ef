import { expect, test, vi } from "vitest";
import { CircuitOpen } from "#core/database/faults.ts";
import { groupCommit } from "./group-commit.ts";

/** A write that the test settles by hand. */
function slowWrite() {
  const batches: { items: string[]; finish: () => void; fail: (reason: Error) => void }[] = [];
  const write = (items: string[]) =>
    new Promise<string[]>((resolve, reject) => {
      batches.push({ items, finish: () => resolve(items.map((item) => item.toUpperCase())), fail: reject });
    });
  return { batches, write };
}

const options = { maxBatchSize: 3, maxQueueLength: 4 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("writes a lone item immediately, without a timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  const { batches, write } = slowWrite();
  const { submit } = groupCommit(write, options);
  const result = submit("a");
  await turn();
  expect(batches[0]?.items).toEqual(["a"]);
  batches[0]?.finish();
  expect(await result).toBe("A");
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("batches items that arrive during a write, in order and up to the maximum size", async () => {
  const { batches, write } = slowWrite();
  const { submit } = groupCommit(write, options);
  const first = submit("a");
  await turn();
  const rest = ["b", "c", "d", "e"].map(submit);
  await turn();
  expect(batches).toHaveLength(1);
  batches[0]?.finish();
  expect(await first).toBe("A");
  await vi.waitFor(() => expect(batches[1]?.items).toEqual(["b", "c", "d"]));
  batches[1]?.finish();
  await vi.waitFor(() => expect(batches[2]?.items).toEqual(["e"]));
  batches[2]?.finish();
  expect(await Promise.all(rest)).toEqual(["B", "C", "D", "E"]);
});

test("refuses an item while the queue is full, and accepts one again after a batch is taken from it", async () => {
  const { batches, write } = slowWrite();
  const { submit } = groupCommit(write, options);
  submit("a");
  await turn();
  for (const item of ["b", "c", "d", "e"]) expect(submit(item)).toBeDefined();
  expect(submit("f")).toBeUndefined();
  batches[0]?.finish();
  await vi.waitFor(() => expect(batches).toHaveLength(2));
  expect(submit("g")).toBeDefined();
});

test("fails the whole batch when no single item is at fault, and still writes the next batch", async () => {
  const { batches, write } = slowWrite();
  const { submit } = groupCommit(write, options);
  const failing = [submit("a"), submit("b")];
  await turn();
  const next = submit("c");
  batches[0]?.fail(new Error("gone"));
  for (const result of failing) await expect(result).rejects.toThrow("gone");
  await vi.waitFor(() => expect(batches).toHaveLength(2));
  batches[1]?.finish();
  expect(await next).toBe("C");
});

test("fails the whole queue in an outage, and tries the next item again", async () => {
  const { batches, write } = slowWrite();
  const { submit } = groupCommit(write, options);
  const writing = submit("a");
  await turn();
  const queued = submit("b");
  batches[0]?.fail(new CircuitOpen("gone"));
  await expect(writing).rejects.toThrow("gone");
  await expect(queued).rejects.toThrow("gone");
  const next = submit("c");
  await vi.waitFor(() => expect(batches[1]?.items).toEqual(["c"]));
  batches[1]?.finish();
  expect(await next).toBe("C");
});
