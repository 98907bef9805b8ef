import { Argument, InvalidArgumentError } from "commander";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { parseAddress } from "#cli/terminal/options.ts";
import { formatTable } from "#cli/terminal/table.ts";
import { endSessions, forgetOperator } from "#core/operators/sessions.ts";
import { listRoles, parseWho, setRole, TEAM_ROLES, type TeamRole } from "#core/operators/team-roles.ts";
import { pluralize } from "#core/text/format.ts";

export function addTeam(console: Command): void {
  console
    .subcommand("roles", "List or change what people may do in the team's console")
    .addArgument(new Argument("[action]").choices(["list", "set", "remove"]).default("list"))
    .argument("[who]", "Email address, or @ and a domain", parseWhoArgument)
    .addArgument(new Argument("[role]").choices(TEAM_ROLES))
    .notes(`
Viewers read; editors also draft, edit, invite and send; admins also export and
erase. A domain's role is for everyone without a role of their own. Changes
apply at once. Not used if OIDC_ROLE_CLAIM is set.`)
    .examples("", "set ada@example.com admin", "remove @example.com")
    .action(changeRoles);
  console
    .subcommand("sign-out", "End someone's sessions in the team's console")
    .argument("[address]", "Email address; case doesn't matter", parseAddress)
    .option("--all", "End everyone's sessions")
    .examples("ada@example.com", "--all")
    .action(signOut);
  console
    .subcommand("forget", "Let another account sign in with this address, and end its sessions")
    .argument("<address>", "Email address; case doesn't matter", parseAddress)
    .examples("ada@example.com")
    .action(forget);
}

function parseWhoArgument(text: string): string {
  const who = parseWho(text);
  if (!who) throw new InvalidArgumentError("Use an address like ada@example.com, or a domain like @example.com.");
  return who;
}

const changeRoles = withMigratedDatabase(async (db, action: string, who?: string, role?: TeamRole) => {
  if (action === "list") {
    const roles = await listRoles(db);
    const text = roles.length ? formatTable(roles) : "Nobody has a role yet, so nobody can sign in.";
    return { text, json: roles };
  }
  if (!who || (action === "set") !== Boolean(role)) throw new UsageError("Use set <who> <role>, or remove <who>.");
  const isOk = await setRole(db, commandLineActor(), who, role ?? null);
  return { text: `${who} ${role ? `is now ${role}` : "has no role"}.`, json: { changed: isOk }, isOk };
});

const signOut = withMigratedDatabase(async (db, email: string | undefined, { all }: { all?: boolean }) => {
  if (!email === !all) throw new UsageError("Choose an address or --all.");
  const ended = (await endSessions(db, commandLineActor(), email ? { email } : {})).length;
  return { text: `Ended ${pluralize(ended, "session")}.`, json: { ended } };
});

const forget = withMigratedDatabase(async (db, email: string) => {
  const isOk = await forgetOperator(db, commandLineActor(), email);
  return { text: isOk ? `Forgot ${email}.` : `Nobody has signed in as ${email}.`, json: { forgotten: isOk }, isOk };
});
