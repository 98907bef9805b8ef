import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

export type LonePrimary = Awaited<ReturnType<typeof startLonePrimary>>;

const WAITS = "from pg_stat_activity where wait_event = 'SyncRep'";

/** A migrated primary whose synchronous standby can be missing, so that every commit waits. */
export async function startLonePrimary() {
  const postgres = await startScratchPostgres();
  await migrateDatabase(postgres.url);
  const [operator, witness] = [new Client(postgres.url), new Client(postgres.url)];
  await Promise.all([operator.connect(), witness.connect()]);
  const witnessPid = (await witness.query("select pg_backend_pid() as pid")).rows[0].pid;
  return {
    ...postgres,
    async setStandby(state: "missing" | "not needed") {
      await operator.query("set synchronous_commit = local");
      await operator.query(`alter system set synchronous_standby_names = '${state === "missing" ? "nobody" : ""}'`);
      await operator.query("select pg_reload_conf()");
      // The checkpointer applies the setting a little later, and only a commit shows whether it has.
      for (let hasWaited = state === "not needed", isApplied = false; !isApplied; isApplied = hasWaited) {
        let isDone = false;
        const commit = witness.query("select pg_logical_emit_message(true, '', '')").then(() => {
          isDone = true;
        });
        while (state === "missing" && !isDone) {
          await pause(20);
          const { rowCount } = await operator.query(`select pg_cancel_backend(pid) ${WAITS} and pid = ${witnessPid}`);
          if (rowCount) hasWaited = true;
        }
        await commit;
      }
    },
    /** Cancels or terminates the backend of each waiting commit, and returns their number. */
    endWaits: async (by: "cancel" | "terminate") =>
      (await operator.query(`select pg_${by}_backend(pid) ${WAITS}`)).rowCount ?? 0,
    /** The number of waiting commits. */
    waits: async () => (await operator.query(`select ${WAITS}`)).rowCount ?? 0,
    async stop() {
      await Promise.all([operator.end(), witness.end()]);
      await postgres.stop();
    },
  };
}
