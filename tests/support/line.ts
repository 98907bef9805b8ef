import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

/** A line between two programs that can be made slow, cut, or led elsewhere. */
export interface Line {
  port: number;
  /** Where new connections are led. */
  target: number;
  /** How long each piece of an answer is under way. */
  delayMs: number;
  /** Ends all connections, and what is under way on them is gone. */
  cut(): void;
  stop(): Promise<void>;
}

export async function startLine(target: number): Promise<Line> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(line.target, "127.0.0.1");
    for (const socket of [near, far]) sockets.add(socket.on("close", () => sockets.delete(socket)));
    pipeline(near, far, () => {});
    pipeline(far, delayed, near, () => {});
  });
  async function* delayed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      if (line.delayMs > 0) await pause(line.delayMs);
      yield chunk;
    }
  }
  await once(server.listen(0, "127.0.0.1"), "listening");
  const line: Line = {
    port: (server.address() as { port: number }).port,
    target,
    delayMs: 0,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      server.close();
      line.cut();
      await once(server, "close");
    },
  };
  return line;
}

/** The same address by way of a line. */
export function through({ port }: Line, url: string): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
