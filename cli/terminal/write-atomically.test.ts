import fs, { existsSync } from "node:fs";
import { mkdtemp, open, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeAtomically } from "./write-atomically.ts";

const newFolder = () => mkdtemp(join(tmpdir(), "farwatch-write-"));
const readAll = async (folder: string) =>
  Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));

test("of two writes to one path, the first is complete and the second is refused", async () => {
  const folder = await newFolder();
  const path = join(folder, "list.csv");
  const write = (text: string) => {
    const { promise: isAllowed, resolve: finish } = Promise.withResolvers<void>();
    async function* chunks() {
      yield `${text}, `;
      await isAllowed;
      yield "all of it";
    }
    return { written: writeAtomically(path, chunks()), finish };
  };
  const first = write("first");
  await expect.poll(() => readAll(folder)).toContain("first, ");
  const second = write("second");
  await expect.poll(() => readAll(folder)).toContain("second, ");
  first.finish();
  await first.written;
  expect(await readFile(path, "utf8")).toBe("first, all of it");
  second.finish();
  await expect(second.written).rejects.toThrow(`Another command wrote ${path} first.`);
  expect(await readAll(folder)).toEqual(["first, all of it"]);
});

test("a file is on disk before it gets its name, and its name before the command reports it", async () => {
  const folder = await newFolder();
  const path = join(folder, "list.csv");
  const synced: string[] = [];
  const record = (what: string) => synced.push(existsSync(path) ? `${what} with the name` : `${what} without it`);
  const { fsync } = fs;
  vi.spyOn(fs, "fsync").mockImplementation((...args) => {
    record("file");
    fsync(...args);
  });
  await using handle = await open(folder);
  vi.spyOn(Object.getPrototypeOf(handle), "sync").mockImplementation(async () => record("folder"));
  onTestFinished(() => void vi.restoreAllMocks());
  await writeAtomically(path, ["Hi"]);
  expect(synced).toEqual(["file without it", "folder with the name"]);
});
