import { Argument } from "commander";
import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { recordSuccess, TASKS, type Task } from "#core/service/maintenance.ts";
import { formatDateTime } from "#core/text/format.ts";

export function addRecord(program: Command): void {
  program
    .subcommand("record", "Record that a nightly task succeeded, so that no alert fires")
    .addArgument(new Argument("<task>", "Task that succeeded just now").choices(TASKS))
    .notes(`
Run it after a backup, its test restore, \`waitlist verify\`, and a check of the
TLS certificate. An alert fires if a task isn't recorded for 26 hours.`)
    .examples("backup")
    .action(record);
}

const record = withMigratedDatabase(async (db, task: Task) => {
  const succeededAt = await recordSuccess(db, task);
  return { text: `Recorded ${task}: ${formatDateTime(succeededAt)}.`, json: { task, succeededAt } };
});
