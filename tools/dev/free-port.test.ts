import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort, nextFreePort } from "./free-port.ts";

test("skips a port that is in use on 127.0.0.1 or ::1", async () => {
  for (const host of ["127.0.0.1", "::1"]) {
    const port = await freePort();
    expect(await nextFreePort(port)).toBe(port);
    const taken = createServer().listen(port, host);
    await once(taken, "listening");
    expect(await nextFreePort(port)).toBeGreaterThan(port);
    taken.close();
  }
});
