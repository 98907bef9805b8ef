import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { environment } from "#core/config/environment.ts";

const read = (name: string) => readFileSync(`deploy/kubernetes/${name}`, "utf8");

const PODS = {
  "settings.env": ["server.yaml", "worker.yaml", "operate.yaml", "nightly.yaml"],
  "console.env": ["console.yaml"],
};

test.each(Object.entries(PODS))(
  "the settings in %s exist, and its pods mount exactly the secrets they name",
  (file, pods) => {
    const settings = Object.entries(parseEnv(read(file)));
    const known = Object.keys(environment.shape);
    expect(settings.filter(([name]) => !known.includes(name.replace(/_FILE$/, "")))).toEqual([]);
    const named = settings.filter(([name]) => name.endsWith("_FILE")).map(([, value = ""]) => basename(value));
    for (const pod of pods)
      expect([...read(pod).matchAll(/path: (\w+) \}/g)].map(([, path]) => path).sort()).toEqual(named.sort());
  },
);

test("the console and the page have different hosts", () => {
  const hostOf = (name: string) => /^ +- host: (\S+)$/m.exec(read(name))?.[1];
  expect(hostOf("console.yaml")).toBe(`console.${hostOf("server.yaml")}`);
});
