import { ASCII } from "./ascii.ts";

/** A buffer that grows. Millions of short values are written, so it makes no string of any. */
export class ByteWriter {
  bytes: Buffer = Buffer.allocUnsafe(64 * 1024);
  length = 0;

  /** Makes room for this many more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * this.bytes.length + count);
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  writeByte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /** For short values, for which a loop is faster than a call of `copy`. */
  writeBytes(from: Uint8Array, start = 0, end = from.length): void {
    this.reserve(end - start);
    const { bytes, length } = this;
    for (let at = start; at < end; at += 1) bytes[length + at - start] = from[at] as number;
    this.length += end - start;
  }

  /** Writes a whole number, with zeros before it. */
  writeDigits(value: number, count: number): void {
    this.reserve(count);
    let rest = value;
    for (let at = this.length + count - 1; at >= this.length; at -= 1) {
      this.bytes[at] = ASCII.zero + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.length += count;
  }

  /** A copy of what was written, to start over. */
  take(): Buffer {
    const taken = Buffer.copyBytesFrom(this.bytes, 0, this.length);
    this.length = 0;
    return taken;
  }
}
