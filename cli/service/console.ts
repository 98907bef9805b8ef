import { userName } from "#cli/terminal/actor.ts";
import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { parsePort } from "#cli/terminal/options.ts";
import { readConfig } from "#core/config/config.ts";
import { memberLink } from "#core/links/links.ts";
import type { LinkOf } from "#core/transfer/export-file.ts";
import { addTeam } from "./team.ts";

interface ConsoleOptions {
  port?: number;
  readOnly?: boolean;
  inContainer?: boolean;
}

export function addConsole(program: Command): void {
  const command = program
    .subcommand("console", "Open the waitlist in a browser, on this machine only")
    .option("--port <number>", "Listen on this port; 0 picks a free one (default: 4400, or a free one)", parsePort)
    .option("--read-only", "Don't allow changes")
    .option("--in-container", "Accept connections from outside the container; publish --port to 127.0.0.1 only")
    .notes(`
Ends on Ctrl-C, or after 30 minutes without use. The printed link works once.

Examples:
  npx waitlist console
  npx waitlist console --read-only

On a server, through SSH:
  ssh -t -L 4400:127.0.0.1:4400 server waitlist console --port 4400`)
    .action(run);
  addTeam(command);
}

const run = withMigratedDatabase(async (db, { port, readOnly, inContainer }: ConsoleOptions) => {
  const { keys, mail, invitations, PUBLIC_ORIGIN: origin, WEBHOOK_HOSTS: webhookHosts } = readConfig();
  // Imported here, because loading a web server would slow down every other command.
  const { startConsole } = await import("#console/start.ts");
  const linkOf: LinkOf | undefined = keys && origin ? (person) => memberLink(keys, person, origin) : undefined;
  const user = { actor: { name: userName(), via: "console" }, role: readOnly ? "read-only" : "admin" } as const;
  const parts = { db, keys, mail, invitations, webhookHosts, linkOf };
  const running = await startConsole({ ...parts, user, port, isInContainer: inContainer === true });
  console.log(`The console is ready${readOnly ? ", read-only" : ""}:\n\n  ${running.url}\n\nPress Ctrl-C to end it.`);
  process.once("SIGINT", running.stop);
  process.once("SIGTERM", running.stop);
  await running.ended;
  return undefined;
});
