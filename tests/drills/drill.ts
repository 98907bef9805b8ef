/** `npm run drill -- <name>` */
import { runNamed } from "#tests/support/run-named.ts";

/** A group of drills that runs in this process, so that signals reach it. */
const ofHarness = (name: string, minutes: number, description: string) => ({
  name,
  description,
  minutes,
  needsBuild: true,
  command: async (args: string[]) => (await import("./run-group.ts")).runGroup(name, args),
});

await runNamed("drill", [
  {
    name: "short",
    description: "what CI runs: faults, mail, fuzzing and the edge cache in their short form",
    minutes: 3,
    command: ["vitest", "run", "--project", "drills", "--no-file-parallelism"],
    needsBuild: true,
  },
  ofHarness("faults", 20, "kills, freezes and overloads PostgreSQL and servers; takes words of names; as root"),
  ofHarness("bulk", 8, "imports, releases, sets aside and invites up to 100,000 people under sign-ups"),
  ofHarness("upgrade", 2, "upgrades the last release (or a given commit), goes back and forward again; needs nginx"),
  ofHarness("mail", 8, "sends 10,000 mails, then reminders, kills workers twenty times, takes the SMTP server away"),
  ofHarness("events", 7, "malformed events from mail providers, and messages that pause themselves"),
  ofHarness("fuzz", 14, "sends a million malformed requests to every route of a real server"),
  ofHarness("machine", 25, "boots a bare Debian and types the installation guide in docs/operations.md; as root"),
  ofHarness("ha", 20, "boots three Debians, types docs/high-availability.md, kills and freezes machines; as root"),
  ofHarness("image", 6, "builds the container image and runs it sandboxed; as root (Debian: docker.io, debootstrap)"),
  ofHarness(
    "compose",
    8,
    "types docs/platforms.md on Docker Compose, upgrades under load; as root (Debian: docker.io)",
  ),
  {
    name: "spec-mutations",
    description: "breaks each line of the specification in a copy, and expects its tests to fail; takes lines, --stale",
    minutes: 50,
    command: ["tests/drills/spec-mutations/spec-mutations.ts"],
  },
]);
