import { ASCII } from "./ascii.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { NULL_FIELD, type Row } from "./copy-rows.ts";
import type { ExportColumn } from "./export-columns.ts";
import { createTimestampWriter } from "./timestamp-writer.ts";

const END = Buffer.from("}\n");
const NULL = Buffer.from("null");
/** How JSON writes the control characters, the quote and the backslash, by their code. */
const ESCAPES = Array.from({ length: ASCII.backslash + 1 }, (_, code) =>
  Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)),
);

/** Returns a function that writes a row as a line of JSON, with a link at its end if there is one. */
export function jsonRowWriter(columns: Pick<ExportColumn, "name" | "type">[]) {
  const types = columns.map(({ type }) => type);
  const timestamps = createTimestampWriter();
  const names = columns.map(({ name }, index) => Buffer.from(`${index > 0 ? "," : "{"}${JSON.stringify(name)}:`));
  return ({ bytes, starts, ends }: Row, out: ByteWriter, link?: string): void => {
    for (let index = 0; index < types.length; index += 1) {
      out.writeBytes(names[index] as Buffer);
      const start = starts[index] as number;
      const end = ends[index] as number;
      const type = types[index];
      if (start === NULL_FIELD) out.writeBytes(NULL);
      else if (type === "text") writeString(bytes, start, end, out);
      else if (type === "timestamp") timestamps.writeForJson(bytes, start, out);
      else out.writeBytes(bytes, start, end);
    }
    if (link !== undefined) out.writeBytes(Buffer.from(`,"link":${JSON.stringify(link)}`));
    out.writeBytes(END);
  };
}

function writeString(from: Buffer, start: number, end: number, out: ByteWriter): void {
  out.reserve(6 * (end - start) + 2);
  const { bytes } = out;
  let { length } = out;
  bytes[length++] = ASCII.quote;
  for (let at = start; at < end; at += 1) {
    const byte = from[at] as number;
    if (byte >= ASCII.space && byte !== ASCII.quote && byte !== ASCII.backslash) bytes[length++] = byte;
    else for (const escaped of ESCAPES[byte] as Buffer) bytes[length++] = escaped;
  }
  bytes[length++] = ASCII.quote;
  out.length = length;
}
