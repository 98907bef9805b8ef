import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { pipeline, Transform } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

/** A TCP proxy that can delay responses, drop connections, or switch to another target. */
export interface FaultyProxy {
  port: number;
  /** The port that new connections are forwarded to. */
  target: number;
  /** The delay for each chunk sent back to the client. */
  delayMs: number;
  /** Drops all connections and their data in flight. */
  dropConnections(): void;
  stop(): Promise<void>;
}

export async function startFaultyProxy(target: number): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(proxy.target, "127.0.0.1");
    for (const socket of [client, upstream]) sockets.add(socket.on("close", () => sockets.delete(socket)));
    pipeline(client, upstream, () => {});
    pipeline(upstream, delayed(), client, () => {});
  });
  /** Keeps reading while chunks wait. If the delay also limited throughput, a standby would lag without bound. */
  function delayed(): Transform {
    let passed: Promise<unknown> = Promise.resolve();
    return new Transform({
      transform(chunk, _encoding, done) {
        passed = Promise.all([passed, proxy.delayMs > 0 && pause(proxy.delayMs)]).then(() => this.push(chunk));
        done();
      },
      flush: (done) => void passed.then(() => done()),
    });
  }
  await once(server.listen(0, "127.0.0.1"), "listening");
  const proxy: FaultyProxy = {
    port: (server.address() as { port: number }).port,
    target,
    delayMs: 0,
    dropConnections() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      server.close();
      proxy.dropConnections();
      await once(server, "close");
    },
  };
  return proxy;
}

/** Returns the URL with the proxy's port. */
export function throughProxy({ port }: FaultyProxy, url: string): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
