import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { matcher } from "#tests/drills/harness/fragment.ts";
import { copyOfThisVersion } from "#tests/support/release.ts";
import type { FoundTest } from "#tests/support/spec-coverage.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import type { Mutation } from "./mutations.ts";
import { run, runTests } from "./run-tests.ts";

export interface Lane {
  folder: string;
  /** Resolves with the reason why no test caught the mutation, or undefined if one did. */
  tryOut(mutation: Mutation, tests: FoundTest[]): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The folders that the built page depends on. */
const BUILT_FROM = /^(site|contract|brand)\//;

/** A copy of the project with its own database, for trying one mutation at a time. */
export async function openLane(): Promise<Lane> {
  const postgres = await startScratchPostgres();
  const { folder, remove } = copyOfThisVersion();
  const [dist, cleanDist] = [join(folder, "dist"), join(folder, "dist-clean")];
  const build = () => run(process.execPath, ["tools/build/site.ts"], folder);

  async function close(): Promise<void> {
    await postgres.stop();
    remove();
  }

  for (const built of [await build(), await run(process.execPath, ["tools/build/console.ts"], folder)]) {
    if (built.isOk) continue;
    await close();
    throw new Error(`A page doesn't build: ${built.stderr}`);
  }
  cpSync(dist, cleanDist, { recursive: true });

  function restoreDist(): void {
    rmSync(dist, { recursive: true, force: true });
    cpSync(cleanDist, dist, { recursive: true });
  }

  async function tryOutHere({ file }: Mutation, tests: FoundTest[]): Promise<string | undefined> {
    const reasons: string[] = [];
    // Unit tests first, because they take a second.
    for (const runner of ["vitest", "playwright"] as const) {
      const own = tests.filter((test) => test.runner === runner);
      if (own.length === 0) continue;
      if (runner === "playwright" && BUILT_FROM.test(file)) {
        const built = await build();
        if (!built.isOk) return `the mutated page doesn't build: ${built.stderr}`;
      }
      const options = { workers: 1, env: { DATABASE_URL: postgres.url } };
      let results = await runTests(own, folder, { ...options, maxFailures: 1 });
      // The first failure is rarely a broken test. If it is, another test may still fail an assertion.
      if (results.some(({ outcome }) => outcome === "broken")) results = await runTests(own, folder, options);
      if (results.some(({ outcome }) => outcome === "assertion failed")) return;
      if (results.length === 0) reasons.push(`${runner} found no tests`);
      for (const { title, outcome, message } of results) {
        const [summary] = message.split("\n");
        reasons.push(outcome === "passed" ? `passes: ${title}` : `fails without an assertion: ${title}: ${summary}`);
      }
    }
    return reasons.join("; ");
  }

  return {
    folder,
    close,
    async tryOut(mutation, tests) {
      const path = join(folder, mutation.file);
      const original = readFileSync(path, "utf8");
      // Replaces with a function, because "$&" is special in a replacement string.
      writeFileSync(
        path,
        original.replace(matcher(mutation.find), () => mutation.replace),
      );
      try {
        return await tryOutHere(mutation, tests);
      } finally {
        writeFileSync(path, original);
        restoreDist();
      }
    },
  };
}
