import { userInfo } from "node:os";
import { expect, test, vi } from "vitest";
import { commandLineActor } from "./actor.ts";

vi.mock("node:os", () => ({ userInfo: vi.fn() }));

test("changes are made under the operating system's user", () => {
  vi.mocked(userInfo).mockReturnValue({ username: "ada" } as ReturnType<typeof userInfo>);
  expect(commandLineActor()).toEqual({ name: "ada", via: "command line" });
});

test("a user without a name, as in a container, is known by their number", () => {
  vi.mocked(userInfo).mockImplementation(() => {
    throw new Error("ENOENT: no such file or directory, uv_os_get_passwd");
  });
  expect(commandLineActor().name).toBe(`user ${process.getuid?.()}`);
});
