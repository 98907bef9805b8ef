/** `npm run drill -- <name>` */
import { runNamed } from "#tests/support/run-named.ts";

runNamed("drill", [
  {
    name: "short",
    description: "the drills CI runs, in their short form: faults, load, outages, edge cache, mail and fuzzing",
    minutes: 5,
    command: ["vitest", "run", "--project", "drills", "--no-file-parallelism"],
    needsBuild: true,
  },
  {
    name: "faults",
    description: "kills, freezes and overloads PostgreSQL, Redis and servers, each with negative controls; as root",
    minutes: 20,
    command: ["tests/drills/faults/faults.ts"],
    needsBuild: true,
  },
  {
    name: "upgrade",
    description: "upgrades the last release (or a given commit), goes back and forward again; needs haproxy",
    minutes: 2,
    command: ["tests/drills/upgrade/upgrade.ts"],
    needsBuild: true,
  },
  {
    name: "rehearsal",
    description: "a launch with mail, invitations, a new version and a failover, for 15 minutes or as many as given",
    minutes: 16,
    command: ["tests/drills/rehearsal/rehearsal.ts"],
    needsBuild: true,
  },
  {
    name: "ha",
    description: "kills, freezes and switches the primary of a Patroni cluster; as root (Debian: patroni, etcd-server)",
    minutes: 32,
    command: ["tests/drills/ha/ha.ts"],
    needsBuild: true,
  },
  {
    name: "ha-machines",
    description: "boots three Debians, types docs/high-availability.md into them, kills and replaces machines; as root",
    minutes: 2,
    command: ["tests/drills/ha-machines/ha-machines.ts"],
  },
  {
    name: "fuzz",
    description: "sends a million malformed requests to every route of a real server",
    minutes: 12,
    command: ["vitest", "run", "--project", "drills", "fuzz"],
    env: { FUZZ_CASES: "1000000" },
    needsBuild: true,
  },
  {
    name: "mail",
    description:
      "sends 10,000 mails, kills workers twenty times, takes the SMTP server away, lets people leave; as root (opensmtpd)",
    minutes: 15,
    command: ["tests/drills/mail/mail.ts"],
  },
  {
    name: "spec-mutations",
    description: "breaks each line of the specification in a copy, and wants its tests to fail; lines as arguments",
    minutes: 50,
    command: ["tests/drills/spec-mutations/spec-mutations.ts"],
  },
  {
    name: "rule-mutations",
    description: "breaks each rule of the product in a copy, and wants its test to fail; parts of rules as arguments",
    minutes: 12,
    command: ["tests/drills/rule-mutations/rule-mutations.ts"],
    needsBuild: true,
  },
  {
    name: "image",
    description: "builds the container image and runs it sandboxed; as root (Debian: docker.io, debootstrap, haproxy)",
    minutes: 3,
    command: ["vitest", "run", "--project", "image"],
  },
  {
    name: "machine",
    description: "boots a bare Debian and runs the installation guide in docs/operations.md on it; as root",
    minutes: 4,
    command: ["bash", "tests/drills/machine/drill.sh"],
  },
]);
