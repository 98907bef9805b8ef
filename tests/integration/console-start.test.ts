import { expect, test } from "vitest";
import { type ConsoleOptions, startConsole } from "#console/start.ts";
import { ACTOR } from "#tests/support/console-api.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const parts = (): ConsoleOptions => ({
  db: context.db,
  port: 0,
  user: { actor: ACTOR, role: "viewer" },
  keys: undefined,
  mail: undefined,
  invitations: undefined,
});

test("listens on every address only in a container, and refuses any Host but loopback", async () => {
  for (const [isInContainer, expected] of [
    [false, "ECONNREFUSED"],
    [true, 421],
  ] as const) {
    const { url, stop } = await startConsole({ ...parts(), isInContainer });
    const reaching = fetch(url.replace("127.0.0.1", "127.0.0.2"));
    expect(
      await reaching.then(
        ({ status }) => status,
        ({ cause }) => cause.code,
      ),
    ).toBe(expected);
    expect(new URL(url).hostname).toBe("127.0.0.1");
    await stop();
  }
});

test("listens on this machine only, and ends after an idle timeout", async () => {
  const { url, ended } = await startConsole({ ...parts(), maxIdleMs: 300 });
  expect(new URL(url).hostname).toBe("127.0.0.1");
  await ended;
  await expect(fetch(url)).rejects.toThrow();
});
