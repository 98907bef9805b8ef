import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const renovate = JSON.parse(readFileSync("renovate.json", "utf8"));
const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));

/** The files in which Renovate looks for images by default; it skips tests. */
const SEARCHED = [
  /(^|\/)Dockerfile[^/]*$/,
  /(^|\/)(docker-)?compose[^/]*\.ya?ml$/,
  /(^|\/)kustomization\.ya?ml$/,
  /^\.github\/workflows\/[^/]+\.ya?ml$/,
];

/** Images that are built here: ours, and the base images of the drills. */
const OURS = /^(farwatch|\$\{BASE\})/;

test("Renovate pins and updates every image", () => {
  expect(renovate.extends).toEqual(expect.arrayContaining(["config:recommended", "docker:pinDigests"]));
  expect(renovate).not.toHaveProperty("enabledManagers");
  const files = execFileSync("git", ["ls-files", "--", ":!*.test.ts", ":!tests/drills", ":!docs"], {
    encoding: "utf8",
  });
  const images = files
    .trim()
    .split("\n")
    .filter((path) => /(^|\/)\w*Dockerfile[^/]*$|\.ya?ml$/.test(path))
    .flatMap((path) => {
      const found = readFileSync(path, "utf8").matchAll(/^(?:FROM|ARG BASE=| +image:| +container:) ?(\S+)/gm);
      return [...found].map(([, image = ""]) => ({ path, image }));
    })
    .filter(({ image }) => !OURS.test(image));
  expect(images.map(({ image }) => image.replace(/@.*/, ""))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^node:\d+-\w+-slim$/), expect.stringMatching(/^postgres:/)]),
  );
  expect(images.filter(({ path }) => !SEARCHED.some((pattern) => pattern.test(path)))).toEqual([]);
});

test(".nvmrc names the Node that npm installs, and Renovate updates both in one pull request", () => {
  const nodes = Object.entries(optionalDependencies).filter(([name]) => name.startsWith("node-"));
  const version = readFileSync(".nvmrc", "utf8").trim();
  expect(nodes).toEqual(nodes.map(([name]) => [name, version]));
  const { matchPackageNames } = renovate.packageRules.find(
    ({ groupName }: { groupName?: string }) => groupName === "Node",
  );
  expect(matchPackageNames).toEqual(["node", ...nodes.map(([name]) => name)]);
});
