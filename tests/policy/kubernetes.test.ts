import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
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

const documents = globSync("deploy/kubernetes/*.yaml").flatMap((file) => readFileSync(file, "utf8").split(/^---$/m));
const ofKind = (kind: string) => documents.filter((text) => new RegExp(`^kind: ${kind}$`, "m").test(text));

test("each Ingress names its class, and the guide says where its certificate comes from", () => {
  const guide = readFileSync("docs/platforms.md", "utf8");
  expect(ofKind("Ingress")).toHaveLength(2);
  for (const ingress of ofKind("Ingress")) {
    expect(ingress).toMatch(/^ {2}ingressClassName: \S+$/m);
    const secret = /secretName: ([\w-]+)/.exec(ingress)?.[1];
    expect(guide).toMatch(new RegExp(`create secret tls ${secret} |secret \`${secret}\``));
  }
});

test("each job has a deadline, so that one that hangs doesn't block the next", () => {
  const jobs = [...ofKind("Job"), ...ofKind("CronJob")];
  expect(jobs).toHaveLength(2);
  for (const job of jobs) expect(job).toMatch(/^ +activeDeadlineSeconds: \d+$/m);
});

test("only the ingress controller may connect to the pods that trust its X-Forwarded-For", () => {
  const visitors = ofKind("NetworkPolicy").find((text) => text.includes("name: visitors"));
  expect(visitors).toMatch(/^ +- from: .*namespaceSelector/m);
});

interface Kustomization {
  patches: { target: { kind: string; name?: string }; patch: string }[];
}

const base: Kustomization = parse(read("kustomization.yaml"));
const [, guide = ""] = /^## Kubernetes$.*?^```yaml\n(.*?)^```$/ms.exec(readFileSync("docs/platforms.md", "utf8")) ?? [];
const overlay: Kustomization = parse(guide);

test.each([...base.patches, ...overlay.patches])("the patch of $target applies", ({ target, patch }) => {
  // kustomize parses a patch that starts with "[" as JSON, so a flow-style list in YAML doesn't build.
  expect(patch).toMatch(/^- /);
  const targets = target.kind
    .split("|")
    .flatMap(ofKind)
    .map((text) => parse(text))
    .filter(({ metadata }) => !target.name || metadata.name === target.name);
  expect(targets).not.toEqual([]);
  for (const { op, path, value } of parse(patch)) {
    expect({ op, value }).toEqual({ op: expect.stringMatching(/^(add|replace)$/), value: expect.anything() });
    const [, ...keys] = path.split("/").map((key: string) => key.replaceAll("~1", "/"));
    // Adding needs only the parent.
    const existing = op === "replace" ? keys : keys.slice(0, -1);
    for (const manifest of targets) expect(manifest).toHaveProperty(existing);
  }
});
