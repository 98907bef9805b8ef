import { resolve } from "node:path";
import { startNginx } from "#tests/support/nginx.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type RunningServer, startProgram } from "#tools/dev/running-site.ts";

export const HOSTS = ["console.farwatch.test", "login.company.test"] as const;

const CLIENT = { id: "farwatch", secret: "the secret of the console's client" };

export type TwoSites = Awaited<ReturnType<typeof startTwoSites>>;

/**
 * The team's console and the company's provider behind nginx with TLS, on different sites, because SameSite faults don't
 * show between two ports of localhost. The provider is down until it is started.
 */
export async function startTwoSites(databaseUrl: string, settings: Record<string, string> = {}) {
  const started = new AsyncDisposableStack();
  const [port, providerPort] = [await freePort(), await freePort()];
  const nginx = await startNginx(["http://127.0.0.1:9"], (config) => addProvider(config, port, providerPort));
  started.defer(nginx.stop);
  const [origin, issuer] = HOSTS.map((host) => nginx.origin.replace("127.0.0.1", host)) as [string, string];
  const server = await startProgram([resolve("console/main.ts")], {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    TRUST_PROXY: "127.0.0.1",
    PUBLIC_ORIGIN: "https://farwatch.test",
    ERASURE_KEY: "the erasure key of a console under test",
    CONSOLE_ORIGIN: origin,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    NODE_EXTRA_CA_CERTS: nginx.certificate,
    NODE_OPTIONS: `--import=${resolve(import.meta.dirname, "resolve-test-hosts.ts")}`,
    ...settings,
  });
  started.defer(server.stop);
  let provider: RunningServer | undefined;
  started.defer(async () => provider?.stop());
  return {
    origin,
    issuer,
    log: server.log,
    async startProvider() {
      provider ??= await startProgram([resolve(import.meta.dirname, "oidc-provider.ts")], {
        PORT: String(providerPort),
        ISSUER: issuer,
        CONSOLE_ORIGIN: origin,
        CLIENT_ID: CLIENT.id,
        CLIENT_SECRET: CLIENT.secret,
      });
    },
    stop: () => started.disposeAsync(),
  };
}

/** The shipped configuration without the page's servers, and with a copy of its last block for the provider. */
function addProvider(config: string, consolePort: number, providerPort: number): string {
  const [start, end] = [config.lastIndexOf("  server {"), config.lastIndexOf("}")];
  const copy = config
    .slice(start, end)
    .replace("~^console\\.", HOSTS[1])
    .replace("http://console;", `http://127.0.0.1:${providerPort};`)
    // The policy for nginx's own errors would block the provider's forms.
    .replace("$own_policy", '""');
  return `${config.slice(0, end)}${copy}}\n`
    .replace("proxy_pass http://servers;", "return 200;")
    .replace("127.0.0.1:3003", `127.0.0.1:${consolePort}`);
}
