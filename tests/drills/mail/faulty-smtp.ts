import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { SMTPServer, type SMTPServerSession } from "smtp-server";

/** A mail that the server has accepted. */
export interface Arrival {
  to: string;
  messageId: string;
}

/** From a raw mail, by its own headers. */
export function toArrival(mail: string): Arrival {
  const header = (name: string) => new RegExp(`^${name}: (.+)$`, "im").exec(mail)?.[1]?.trim() ?? "";
  return { to: header("to"), messageId: header("message-id") };
}

export interface FaultySmtp {
  url: string;
  arrivals: Arrival[];
  /** Finishes the mails in progress, drops all connections and stops listening. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

/** How long a mail takes, so that a kill finds mails in progress. */
const MAIL_MS = 20;

type Fault = "451 4.7.1" | "550 5.1.1" | "554 5.7.1" | "hang-up";

/** One mail in a hundred of each, by the number in the address. */
function faultOf(address: string): Fault | undefined {
  const faults: Fault[] = ["451 4.7.1", "550 5.1.1", "554 5.7.1", "hang-up"];
  return faults[Number(/\d+/.exec(address)?.[0]) % 100];
}

/** The server knows no such address, however often it is tried. Every other fault ends with the first attempt. */
export const isUnknown = (address: string) => faultOf(address) === "550 5.1.1";

function refusal(status: string): Error {
  const [code, enhanced] = status.split(" ");
  return Object.assign(new Error(`${enhanced} Refused by the drill`), { responseCode: Number(code) });
}

/** An SMTP server that fails some first attempts, and can be away. It listens on the same port again. */
export async function startFaultySmtp(): Promise<FaultySmtp> {
  const arrivals: Arrival[] = [];
  const tried = new Set<string>();
  const sockets = new Map<number, Socket>();
  let [isAway, inProgress, port] = [false, 0, 0];

  function takeFault(address: string): Fault | undefined {
    const fault = faultOf(address);
    if (fault === "550 5.1.1") return fault;
    const isFirst = !tried.has(address);
    tried.add(address);
    return isFirst ? fault : undefined;
  }

  async function accept(mail: string, { envelope, remotePort }: SMTPServerSession, done: (error?: Error) => void) {
    const to = envelope.rcptTo[0]?.address ?? "";
    const fault = takeFault(to);
    if (isAway || fault === "hang-up") return sockets.get(remotePort)?.destroy();
    if (fault) return done(refusal(fault));
    inProgress += 1;
    arrivals.push(toArrival(mail));
    await pause(MAIL_MS);
    done();
    inProgress -= 1;
  }

  async function listen(): Promise<SMTPServer> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onRcptTo: ({ address }, _session, done) => done(isUnknown(address) ? refusal("550 5.1.1") : null),
      onData(stream, session, done) {
        let mail = "";
        stream.on("data", (chunk: Buffer) => {
          mail += chunk;
        });
        stream.on("end", () => accept(mail, session, done));
      },
    });
    server.on("error", () => {});
    server.server.on("connection", (socket: Socket) => {
      const { remotePort = 0 } = socket;
      sockets.set(remotePort, socket);
      socket.on("close", () => sockets.delete(remotePort));
    });
    const listening = server.listen(port, "127.0.0.1");
    await once(listening, "listening");
    port = (listening.address() as AddressInfo).port;
    return server;
  }

  let server = await listen();
  return {
    url: `smtp://127.0.0.1:${port}`,
    arrivals,
    async goAway() {
      isAway = true;
      // An accepted mail whose response is lost would be sent again, and this isn't what the drill counts.
      do await pause(5 * MAIL_MS);
      while (inProgress > 0);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
    async comeBack() {
      isAway = false;
      server = await listen();
    },
  };
}
