import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** The commands that the release workflow runs before it builds. */
const CHECKS = /^ {2}check:\n[\s\S]*?^ {2}gate:/m
  .exec(readFileSync(".github/workflows/release.yml", "utf8"))?.[0]
  .match(/(?<=- run: ).*/g);

const CHANGELOG =
  "# Changelog\n\n## 1.1.0 (2026-12-01)\n\n- **Page:** new.\n\n## 1.0.0 (2026-11-18)\n\n- **Page:** old.\n";

/** Pushes a commit with a tag to a bare remote, and checks a clone of it as the workflow does. */
function release({ tag = "v1.1.0", version = "1.1.0", changelog = CHANGELOG, branch = "main" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-release-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [remote, work, checkout] = ["remote.git", "work", "checkout"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const git = (...args: string[]) => execFileSync("git", args, { stdio: ["ignore", "ignore", "pipe"] });
  git("init", "--quiet", "--bare", "--initial-branch=main", remote);
  git("clone", "--quiet", remote, work);
  const inWork = (...args: string[]) =>
    git("-C", work, "-c", "user.name=Test", "-c", "user.email=test@farwatch.example", ...args);
  inWork("commit", "--quiet", "--allow-empty", "--message=Begin");
  inWork("push", "--quiet", "origin", "HEAD:main");
  mkdirSync(join(work, "tools"));
  cpSync("tools/release", join(work, "tools/release"), { recursive: true });
  writeFileSync(join(work, "package.json"), JSON.stringify({ type: "module", version }));
  writeFileSync(join(work, "CHANGELOG.md"), changelog);
  inWork("add", "--all");
  inWork("commit", "--quiet", "--message=Release");
  inWork("tag", tag);
  inWork("push", "--quiet", "origin", `HEAD:${branch}`, tag);
  git("clone", "--quiet", "--branch", tag, remote, checkout);
  const env = { ...process.env, GITHUB_REF_NAME: tag };
  const { status, stdout, stderr } = spawnSync("bash", ["-ec", CHECKS?.join("\n") ?? "exit 1"], { cwd: checkout, env });
  return { status, output: `${stdout}${stderr}`.trim() };
}

test("a tag that package.json and the changelog agree with is released with its section", () => {
  expect(CHECKS).toHaveLength(2);
  expect(release()).toEqual({ status: 0, output: "- **Page:** new." });
});

test.each([
  ["of another version", { version: "1.0.0" }, "package.json has the version 1.0.0"],
  ["without a section", { changelog: "## Unreleased\n\n- **Page:** new.\n" }, "CHANGELOG.md has no section 1.1.0"],
  ["without a date", { changelog: "## 1.1.0\n\n- **Page:** new.\n" }, "CHANGELOG.md has no date for 1.1.0"],
  ["of a branch", { branch: "idea" }, "is not on main"],
])("a tag %s is refused", (_name, change, reason) => {
  const { status, output } = release(change);
  expect(output).toMatch(new RegExp(`^v1\\.1\\.0 .*${reason}$`));
  expect(status).toBe(1);
});

test("README and guides install this version, never a branch", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const guides = ["README.md", "docs/operations.md", "docs/platforms.md", "deploy/kubernetes/kustomization.yaml"]
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  const versions = guides.match(/(?<=RELEASE=v|--branch v|checkout v|newTag: )\d\S*\d/g) ?? [];
  expect(versions.length).toBeGreaterThan(4);
  expect(versions.filter((each) => each !== version)).toEqual([]);
  expect(guides.match(/git clone (?!--branch (v\d|\$RELEASE)).*|git pull.*/g)).toBeNull();
});
