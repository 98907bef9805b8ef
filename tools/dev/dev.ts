/** `npm run dev`: a scratch database, mail catcher, API and page at one address, reloading as you edit. */
import { openDatabaseAndMail } from "./database-and-mail.ts";
import { freePort, nextFreePort } from "./free-port.ts";
import { startPageServer } from "./page-server.ts";
import { runUntilExit } from "./run-until-exit.ts";
import { startWatchedApi } from "./watched-api.ts";

await runUntilExit(async (stopOnExit) => {
  const { env, announce } = await openDatabaseAndMail(stopOnExit);
  const [port, apiPort] = [await nextFreePort(Number(process.env.PORT ?? 3000)), await freePort()];
  const origin = `http://localhost:${port}`;
  await stopOnExit(startPageServer(port, apiPort));
  const api = await stopOnExit(startWatchedApi(apiPort, { ...env, PUBLIC_ORIGIN: origin }));
  await api.responds();
  announce("development", origin);
});
