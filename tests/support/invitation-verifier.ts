import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JWTPayload } from "jose";
import { afterAll, beforeAll, expect } from "vitest";
import { runNode } from "./run-node.ts";

export const PRODUCT = "https://app.farwatch.example";

/** For a whole test file: returns the claims of each token, or why it is invalid, according to the product. */
export function useVerifier(): (origin: string, tokens: string[]) => Promise<(JWTPayload | string)[]> {
  let folder: string;
  beforeAll(() => {
    folder = installVerifier();
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return async (origin, tokens) => {
    const env = { WAITLIST_ORIGIN: origin, APP_ORIGIN: PRODUCT };
    const { stdout, stderr } = await runNode(join(folder, "main.js"), env, tokens);
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  };
}

/** The product's side: a program with jose and the code from docs/invitations.md, and nothing else of ours. */
function installVerifier(): string {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-product-"));
  const [, code = ""] = /```js\n(.+?)```/s.exec(readFileSync("docs/invitations.md", "utf8")) ?? [];
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(realpathSync("node_modules/jose"), join(folder, "node_modules/jose"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "verify-invitation.js"), code);
  writeFileSync(
    join(folder, "main.js"),
    `import { verifyInvitation } from "./verify-invitation.js";
    const results = process.argv.slice(2).map((token) => verifyInvitation(token).catch(({ code }) => code));
    console.log(JSON.stringify(await Promise.all(results)));`,
  );
  return folder;
}
