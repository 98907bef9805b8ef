import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { freePort } from "#tools/dev/free-port.ts";
import { untilServes } from "./until-serves.ts";

export interface Nginx {
  origin: string;
  /** Only redirects to the HTTPS origin. */
  httpOrigin: string;
  /** The path of its self-signed certificate. */
  certificate: string;
  /** Everything nginx has logged so far: its output, then failed requests. */
  log(): string;
  stop(): Promise<void>;
}

/** Removes the limits, for clients that all have the same address. */
export const withoutLimits = (config: string) => config.replaceAll(/^ *limit_(req|conn) .*$/gm, "");

/**
 * nginx with our shipped configuration, in front of one or two servers, on free ports, with a self-signed certificate
 * that this process trusts. A test can adapt the configuration.
 */
export async function startNginx(
  servers: string[],
  adapt = (config: string) => config,
  firstStatus = 200,
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-nginx-"));
  const ports: Record<string, number> = { 80: await freePort(), 443: await freePort() };
  makeCertificate(folder);
  const config = readFileSync("deploy/nginx.conf", "utf8")
    .replaceAll(/(listen (?:\[::\]:)?)(\d+)/g, (_, listen, port) => `${listen}${ports[port]}`)
    .replaceAll(/127\.0\.0\.1:300([12])/g, (_, number) => new URL(servers[number - 1] ?? servers[0] ?? "").host)
    .replaceAll("/etc/nginx/tls", folder)
    .replace("/var/log/nginx", folder)
    .replace("/run/nginx.pid", join(folder, "pid"));
  writeFileSync(join(folder, "nginx.conf"), adapt(config));

  const nginx = spawn("nginx", ["-e", "stderr", "-c", join(folder, "nginx.conf"), "-g", "daemon off;"]);
  const exited = once(nginx, "exit");
  let log = "";
  for (const output of [nginx.stdout, nginx.stderr]) output.on("data", (chunk) => (log += chunk));
  const origin = `https://127.0.0.1:${ports[443]}`;
  await untilServes(nginx, origin, firstStatus).catch((reason) => {
    rmSync(folder, { recursive: true });
    throw new Error(log, { cause: reason });
  });
  return {
    origin,
    httpOrigin: `http://127.0.0.1:${ports[80]}`,
    certificate: join(folder, "fullchain.pem"),
    log: () => log + readFileSync(join(folder, "access.log"), "utf8"),
    async stop() {
      nginx.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

function makeCertificate(folder: string): void {
  const output = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  const subject = [
    "-subj",
    "/CN=127.0.0.1",
    "-addext",
    "subjectAltName=IP:127.0.0.1,DNS:*.farwatch.test,DNS:*.company.test",
    "-days",
    "2",
  ];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...key, ...subject, ...output], { stdio: "ignore" });
  setDefaultCACertificates([...getCACertificates(), readFileSync(join(folder, "fullchain.pem"), "utf8")]);
}
