import { Option } from "commander";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, negative, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { parseCount, parseDate, parseId } from "#cli/terminal/options.ts";
import { formatTable } from "#cli/terminal/table.ts";
import { readConfig } from "#core/config/config.ts";
import { formatDateTime } from "#core/text/format.ts";
import {
  addEndpoint,
  changeEndpoint,
  type EndpointChange,
  findRefusal,
  listEndpoints,
  readAttempts,
} from "#core/webhooks/endpoints.ts";

/** What each change does, and what it prints before the webhook's ID. */
const CHANGES: Record<EndpointChange, [description: string, done: string]> = {
  test: ["Send a test event", "Queued a test for"],
  pause: ["Stop sending; events wait for up to 30 days", "Paused"],
  resume: ["Send again, from where it stopped", "Resumed"],
  rotate: ["Print a new secret; the old one works for another day", "Changed the secret of"],
  remove: ["Stop sending, and delete the webhook with its secret", "Removed"],
  resend: ["Send past events again, with the same IDs", "Resending to"],
};

export function addWebhooks(program: Command): void {
  const webhooks = program
    .subcommand("webhooks", "Tell other systems when people confirm, leave or are invited")
    .alias("hooks")
    .notes(`
The mail worker sends them, only to hosts in HOOK_HOSTS. See docs/webhooks.md.`)
    .examples("add https://crm.example.com/waitlist");
  webhooks
    .subcommand("add", "Add a webhook and print its secret, only once")
    .examples("https://crm.example.com/waitlist")
    .argument("<url>", "An https URL whose host is in HOOK_HOSTS")
    .option("--contact", "Send names, addresses, companies and answers, not only pseudonyms")
    .addOption(new Option("--slack", "Post only numbers, to an incoming webhook of Slack").conflicts("contact"))
    .action(add);
  webhooks.subcommand("list", "List webhooks and their state").examples("").action(list);
  webhooks
    .subcommand("deliveries", "Show the last attempts, newest first")
    .examples("3")
    .argument("<id>", "Webhook ID", parseId)
    .option("--limit <count>", "Show at most this many attempts", parseCount, 20)
    .action(showAttempts);
  for (const [change, [description, done]] of Object.entries(CHANGES)) {
    const isResend = change === "resend";
    const command = webhooks.subcommand(change, description).examples(isResend ? "3 --since 2026-11-30" : "3");
    command.argument("<id>", "Webhook ID", parseId).action(makeChange(change as EndpointChange, done));
    if (isResend) command.requiredOption("--since <date>", "From this date or time on", parseDate);
  }
}

function makeChange(change: EndpointChange, done: string) {
  return withMigratedDatabase(async (db, id: string, { since }: { since?: Date }) => {
    const changed = await changeEndpoint(db, commandLineActor(), change, id, since);
    if (!changed) return negative(`There is no webhook ${id}. See: npx waitlist webhooks list`, {});
    return { text: [`${done} webhook ${id}.`, changed.secret].filter(Boolean).join("\n"), json: { id, ...changed } };
  });
}

const add = withMigratedDatabase(async (db, url: string, options: { contact?: true; slack?: true }) => {
  const sends = (options.slack && "digest") || (options.contact && "contact") || "pseudonyms";
  const endpoint = { url, sends } as const;
  const refusal = findRefusal(readConfig().HOOK_HOSTS, endpoint);
  if (refusal) throw new UsageError(refusal);
  const added = await addEndpoint(db, commandLineActor(), endpoint);
  const secret = added.secret ? ` Its secret, which can't be shown again:\n${added.secret}` : "";
  return { text: `Added webhook ${added.id}.${secret}`, json: added };
});

const list = withMigratedDatabase(async (db) => {
  const endpoints = await listEndpoints(db);
  const rows = endpoints.map(({ id, host, sends, state, failing_since }) => ({
    ID: id,
    Host: host,
    Sends: sends,
    State: state,
    "Failing since": formatDateTime(failing_since),
  }));
  return { text: rows.length ? formatTable(rows) : "No webhooks yet.", json: endpoints };
});

const showAttempts = withMigratedDatabase(async (db, id: string, { limit }: { limit: number }) => {
  const attempts = await readAttempts(db, id, limit);
  const rows = attempts.map(({ at, type, status, outcome, attempt, webhook_id }) => ({
    When: formatDateTime(at),
    Event: type,
    Status: status,
    Outcome: `${outcome} (${attempt})`,
    ID: webhook_id,
  }));
  return { text: rows.length ? formatTable(rows) : "No deliveries yet.", json: attempts };
});
