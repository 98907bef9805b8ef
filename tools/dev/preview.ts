/** `npm run preview`: the production build on a scratch database and with mail, for a look at it. */
import { openDatabaseAndMail } from "./database-and-mail.ts";
import { nextFreePort } from "./free-port.ts";
import { runUntilEnded } from "./run-until-ended.ts";
import { startServer } from "./running-site.ts";

await runUntilEnded(async (keep) => {
  const { env, announce } = await openDatabaseAndMail(keep);
  const port = await nextFreePort(Number(process.env.PORT ?? 3000));
  const PUBLIC_ORIGIN = `http://127.0.0.1:${port}`;
  const { origin } = await keep(startServer({ ...env, PORT: String(port), PUBLIC_ORIGIN }));
  announce("production build", origin);
});
