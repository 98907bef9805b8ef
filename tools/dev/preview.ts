/** `npm run preview`: the production build with a scratch database and a mail catcher. */
import { openDatabaseAndMail } from "./database-and-mail.ts";
import { pagePort } from "./free-port.ts";
import { runUntilExit } from "./run-until-exit.ts";
import { startServer } from "./running-site.ts";

await runUntilExit(async (stopOnExit) => {
  const port = await pagePort();
  const { env, announce } = await openDatabaseAndMail(stopOnExit);
  const PUBLIC_ORIGIN = `http://127.0.0.1:${port}`;
  const { origin } = await stopOnExit(startServer({ ...env, PORT: String(port), PUBLIC_ORIGIN }));
  announce("production build", origin);
});
