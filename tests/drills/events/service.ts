import { MAIL_EVENTS_PATH } from "#contract/paths.ts";
import { connect } from "#core/database/connect.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { type Change, withChanges } from "#tests/drills/harness/change-source.ts";
import type { Context, Control, Outcome } from "#tests/drills/harness/drill.ts";
import { send } from "#tests/drills/harness/http.ts";
import { fill } from "#tests/support/fill.ts";
import * as providers from "#tests/support/mail-providers.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

const ENV = {
  SMTP_URL: "smtp://127.0.0.1:1",
  SECRET: "an example secret of 32 characters",
  PUBLIC_ORIGIN: "https://farwatch.example",
  MAIL_WORKER: "apart",
  MAIL_EVENTS: Object.entries(providers.MAIL_EVENTS)
    .map((each) => each.join("="))
    .join(),
};

/** Starts a server with subscribers, for providers' events. */
export async function openEvents({ keep }: Context, people: number, changes: Change[] = []) {
  const { url } = await keep(startScratchPostgres());
  const db = connect(url);
  await keep({ stop: () => db.destroy() });
  await migrateAll(db);
  await recordConsentWording(db);
  await fill(db, people);
  await db.pool.query("update sign_ups set confirmed_at = now() - interval '1 day', newsletter = true");
  const env = withChanges({ ...ENV, DATABASE_URL: url }, changes);
  const { origin } = await keep(startServer(env));
  const sns = providers.createSns();
  await db.insertInto("sns_certificates").values({ url: providers.CERTIFICATE_URL, pem: sns.certificate }).execute();
  /** `client` is the last byte of the sender's IP address, because each address has a rate limit. */
  async function post(provider: string, { payload, headers }: providers.Signed, client = 1): Promise<number> {
    const options = { method: "POST", headers, localAddress: `127.0.0.${client}` };
    return (await send(`${origin}${MAIL_EVENTS_PATH}/${provider}`, options, payload)).status;
  }
  return { env, db, sns, post };
}

/** The drill, and controls that run it with a safeguard removed from the programs. */
export function withControls(
  run: (context: Context, changes?: Change[]) => Promise<Outcome>,
  controls: Omit<Control, "run">[],
) {
  return {
    run: (context: Context) => run(context),
    controls: controls.map((control) => ({ ...control, run: (context: Context) => run(context, control.changes) })),
  };
}
