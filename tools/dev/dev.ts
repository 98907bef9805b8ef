/** `npm run dev`: a scratch database, mail, the API and the page, all behind one address and reloading as you edit. */
import { openDatabaseAndMail } from "./database-and-mail.ts";
import { freePort, nextFreePort } from "./free-port.ts";
import { startPageServer } from "./page-server.ts";
import { runUntilEnded } from "./run-until-ended.ts";
import { startWatchedApi } from "./watched-api.ts";

await runUntilEnded(async (keep) => {
  const { env, announce } = await openDatabaseAndMail(keep);
  const [port, apiPort] = [await nextFreePort(Number(process.env.PORT ?? 3000)), await freePort()];
  const origin = `http://localhost:${port}`;
  await keep(startPageServer(port, apiPort));
  const api = await keep(startWatchedApi(apiPort, { ...env, PUBLIC_ORIGIN: origin }));
  await api.responds();
  announce("development", origin);
});
