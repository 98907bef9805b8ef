/** `npm run drill -- <name>` */
import { runNamed } from "#tests/support/run-named.ts";

runNamed("drill", [
  {
    name: "short",
    what: "all of CI's drills: faults, load, outages, mail and fuzzing, in their short form",
    minutes: 5,
    command: ["vitest", "run", "--project", "drills", "--no-file-parallelism"],
    needsBuild: true,
  },
  {
    name: "faults",
    what: "PostgreSQL, Redis and servers killed, frozen, filled and overloaded, each with a control that must fail; as root",
    minutes: 11,
    command: ["tests/drills/faults/faults.ts"],
    needsBuild: true,
  },
  {
    name: "fuzz",
    what: "a million malformed requests to a real server",
    minutes: 6,
    command: ["vitest", "run", "--project", "drills", "fuzz"],
    env: { FUZZ_CASES: "1000000" },
    needsBuild: true,
  },
  {
    name: "mail",
    what: "a mail worker killed twenty times in mid-send, and an SMTP server away for ten minutes",
    minutes: 15,
    command: ["vitest", "run", "--project", "drills", "mail"],
    env: { MAIL_KILLS: "20", MAIL_OUTAGE_S: "600" },
    needsBuild: true,
  },
  {
    name: "image",
    what: "builds the container image and runs it, confined; as root (Debian: docker.io, debootstrap, haproxy)",
    minutes: 3,
    command: ["vitest", "run", "--project", "image"],
  },
  {
    name: "machine",
    what: "types the installation guide of docs/operations.md into a bare Debian that it boots; as root",
    minutes: 4,
    command: ["bash", "tests/drills/machine/drill.sh"],
  },
]);
