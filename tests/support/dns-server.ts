import { createSocket } from "node:dgram";
import { once } from "node:events";

export interface DnsServer {
  /** For `--dns-server`. */
  address: string;
  /** TXT records by host, each one string, or several that belong together. Other hosts don't exist. */
  texts: Record<string, (string | string[])[]>;
  /** Makes every query fail. */
  isBroken: boolean;
  stop(): void;
}

const HEADER_LENGTH = 12;
const TXT = 16;
const CODES = { ok: 0, failed: 2, noSuchName: 3 };

/** A DNS server on loopback that knows only TXT records (RFC 1035). */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    texts: {},
    isBroken: false,
    stop: () => socket.close(),
  };
  socket.on("message", (query, { port, address }) => {
    const { name, question } = readQuestion(query);
    const texts = server.texts[name];
    const code = server.isBroken ? CODES.failed : texts ? CODES.ok : CODES.noSuchName;
    const answers = server.isBroken ? [] : (texts ?? []).map((text) => writeAnswer([text].flat()));
    const header = Buffer.alloc(HEADER_LENGTH);
    header.writeUInt16BE(query.readUInt16BE(0), 0);
    // A response, recursion desired and available.
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, question, ...answers]), port, address);
  });
  return server;
}

function readQuestion(query: Buffer): { name: string; question: Buffer } {
  const labels: string[] = [];
  let offset = HEADER_LENGTH;
  for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
    labels.push(query.toString("latin1", offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  // The empty label, type and class.
  return { name: labels.join(".").toLowerCase(), question: query.subarray(HEADER_LENGTH, offset + 5) };
}

/** For the name in the question, to which 0xc00c points. */
function writeAnswer(strings: string[]): Buffer {
  const data = Buffer.concat(strings.flatMap((text) => [Buffer.from([text.length]), Buffer.from(text, "latin1")]));
  const head = Buffer.from([0xc0, 0x0c, 0, TXT, 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
