import { expect, test, vi } from "vitest";
import { groupCommit } from "./group-commit.ts";

/** A write whose end the test decides. */
function slowWrite() {
  const batches: { items: string[]; finish: () => void; fail: (reason: Error) => void }[] = [];
  const write = (items: string[]) =>
    new Promise<string[]>((resolve, reject) => {
      batches.push({ items, finish: () => resolve(items.map((item) => item.toUpperCase())), fail: reject });
    });
  return { batches, write };
}

const options = { maxBatchSize: 3, maxQueueLength: 4, isItemFault: () => false, isOutage: () => false };
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a lone item is written at once, without a timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  const { batches, write } = slowWrite();
  const { submit } = groupCommit(write, options);
  const answer = submit("a");
  await turn();
  expect(batches[0]?.items).toEqual(["a"]);
  batches[0]?.finish();
  expect(await answer).toBe("A");
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("what arrives during a write forms the next batch, in order and bounded in size", async () => {
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

test("past the bound the next one is turned away at once, and there is room again when a batch has left", async () => {
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

test("a failure that is nobody's own fails the whole batch, and the next is written all the same", async () => {
  const { batches, write } = slowWrite();
  const { submit } = groupCommit(write, options);
  const failing = [submit("a"), submit("b")];
  await turn();
  const next = submit("c");
  batches[0]?.fail(new Error("gone"));
  for (const answer of failing) await expect(answer).rejects.toThrow("gone");
  await vi.waitFor(() => expect(batches).toHaveLength(2));
  batches[1]?.finish();
  expect(await next).toBe("C");
});

test("one bad item is found by halves and fails alone", async () => {
  const write = async (items: string[]) => {
    if (items.includes("bad")) throw new Error("bad data");
    return items;
  };
  const { submit } = groupCommit(write, {
    maxBatchSize: 100,
    maxQueueLength: 100,
    isItemFault: () => true,
    isOutage: () => false,
  });
  const items = ["a", "b", "c", "bad", "d", "e", "f"];
  const answers = await Promise.allSettled(items.map(submit));
  expect(answers.map(({ status }) => status === "fulfilled")).toEqual([true, true, true, false, true, true, true]);
});

test("in an outage those who wait hear of it with the batch that met it, and the next to come is tried anew", async () => {
  const { batches, write } = slowWrite();
  const { submit } = groupCommit(write, { ...options, isOutage: () => true });
  const met = submit("a");
  await turn();
  const waiting = submit("b");
  batches[0]?.fail(new Error("gone"));
  await expect(met).rejects.toThrow("gone");
  await expect(waiting).rejects.toThrow("gone");
  const next = submit("c");
  await vi.waitFor(() => expect(batches[1]?.items).toEqual(["c"]));
  batches[1]?.finish();
  expect(await next).toBe("C");
});
