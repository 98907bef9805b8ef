import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { environment } from "#core/config/config.ts";

const read = (name: string) => readFileSync(`deploy/kubernetes/${name}`, "utf8");

test("the settings in deploy/kubernetes exist, and each pod that has them mounts the secrets they name", () => {
  const pods = ["server.yaml", "worker.yaml", "operate.yaml", "nightly.yaml"].map(read);
  for (const [name, value = ""] of Object.entries(parseEnv(read("settings.env")))) {
    expect(Object.keys(environment.shape)).toContain(name.replace(/_FILE$/, ""));
    if (name.endsWith("_FILE")) for (const pod of pods) expect(pod).toContain(`path: ${basename(value)} }`);
  }
});
