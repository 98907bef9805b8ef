import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { freePort } from "#tools/dev/free-port.ts";

/** An HTTP proxy that connects every name to this machine. */
export async function startTunnel() {
  const server = createServer();
  server.on("connect", ({ url = "" }, socket) => {
    const upstream = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    for (const each of [socket, upstream]) each.on("error", () => socket.destroy());
  });
  const port = await freePort();
  await once(server.listen(port, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
