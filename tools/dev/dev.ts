/** `npm run dev`: a scratch database, mail catcher, API, page and console, reloading as you edit. */
import { randomToken } from "#console/http/session.ts";
import { openDatabaseAndMail } from "./database-and-mail.ts";
import { freePort, nextFreePort, pagePort } from "./free-port.ts";
import { startConsolePage, startPageServer } from "./page-server.ts";
import { runUntilExit } from "./run-until-exit.ts";
import { startWatchedApi } from "./watched-api.ts";

await runUntilExit(async (stopOnExit) => {
  const port = await pagePort();
  const { env, announce } = await openDatabaseAndMail(stopOnExit);
  const [apiPort, consolePort, consoleApiPort] = [await freePort(), await nextFreePort(4400), await freePort()];
  const origin = `http://localhost:${port}`;
  const consoleUrl = `http://localhost:${consolePort}/#${randomToken()}`;
  await stopOnExit(startPageServer(port, apiPort));
  await stopOnExit(startConsolePage(consolePort, consoleApiPort));
  const settings = { ...env, PUBLIC_ORIGIN: origin, CONSOLE_URL: consoleUrl, CONSOLE_API_PORT: String(consoleApiPort) };
  const api = await stopOnExit(startWatchedApi(apiPort, settings));
  await api.responds();
  announce("development", origin);
  console.log(`Its console: ${consoleUrl}`);
});
