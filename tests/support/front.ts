import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { freePort } from "#tools/dev/free-port.ts";
import { untilServes } from "./until-serves.ts";

export interface Front {
  origin: string;
  /** Where it only says that it is to be found at the other. */
  plainOrigin: string;
  /** Everything it has written so far. */
  log(): string;
  stop(): Promise<void>;
}

/** nginx with the configuration that we ship, on ports and with a certificate of its own; this process trusts it. */
export async function startFront(balancer: string): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-nginx-"));
  const ports: Record<string, number> = { 80: await freePort(), 443: await freePort() };
  makeCertificate(folder);
  const moved = readFileSync("deploy/nginx.conf", "utf8")
    .replaceAll(/(listen (?:\[::\]:)?)(\d+)/g, (_, listen, port) => `${listen}${ports[port]}`)
    .replace("127.0.0.1:3000", new URL(balancer).host)
    .replaceAll("/etc/nginx/tls", folder)
    .replace("/run/nginx.pid", join(folder, "pid"));
  writeFileSync(join(folder, "nginx.conf"), moved);

  const nginx = spawn("nginx", ["-e", "stderr", "-c", join(folder, "nginx.conf"), "-g", "daemon off;"]);
  const exited = once(nginx, "exit");
  let log = "";
  for (const said of [nginx.stdout, nginx.stderr]) said.on("data", (piece) => (log += piece));
  const origin = `https://127.0.0.1:${ports[443]}`;
  await untilServes(nginx, origin).catch((reason) => {
    rmSync(folder, { recursive: true });
    throw new Error(log, { cause: reason });
  });
  return {
    origin,
    plainOrigin: `http://127.0.0.1:${ports[80]}`,
    log: () => log,
    async stop() {
      nginx.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

function makeCertificate(folder: string): void {
  const into = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  const about = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...key, ...about, ...into], { stdio: "ignore" });
  setDefaultCACertificates([...getCACertificates(), readFileSync(join(folder, "fullchain.pem"), "utf8")]);
}
