import { ASCII } from "./ascii.ts";
import type { ByteWriter } from "./byte-writer.ts";

const START_OF_2000 = Date.UTC(2000, 0, 1);
const DAY_SECONDS = 86_400;
const UTC_AND_QUOTE = Buffer.from('+00:00"');

export interface TimestampWriter {
  /** "2026-11-30 18:00:00", which spreadsheets recognize as a time, rounded like PostgreSQL's timestamp(0). */
  writeForSpreadsheet(bytes: Buffer, start: number, out: ByteWriter): void;
  /** "2026-11-30T18:00:00.123456+00:00" with its quotes, as in PostgreSQL's JSON. */
  writeForJson(bytes: Buffer, start: number, out: ByteWriter): void;
}

/** Formats PostgreSQL's binary timestamps, which count microseconds since 2000. */
export function createTimestampWriter(): TimestampWriter {
  // Formatting a date is slow, and most rows joined on the same day as the row before them.
  let lastDay = Number.NaN;
  let lastDate: Buffer = Buffer.alloc(0);

  function writeSeconds(seconds: number, separator: number, out: ByteWriter): void {
    const day = Math.floor(seconds / DAY_SECONDS);
    if (day !== lastDay) {
      lastDay = day;
      lastDate = Buffer.from(new Date(START_OF_2000 + day * DAY_SECONDS * 1000).toISOString().slice(0, 10));
    }
    const second = seconds - day * DAY_SECONDS;
    out.writeBytes(lastDate);
    out.writeByte(separator);
    out.writeDigits(Math.floor(second / 3600), 2);
    out.writeByte(ASCII.colon);
    out.writeDigits(Math.floor(second / 60) % 60, 2);
    out.writeByte(ASCII.colon);
    out.writeDigits(second % 60, 2);
  }

  return {
    writeForSpreadsheet(bytes, start, out) {
      const microseconds = readMicroseconds(bytes, start);
      const seconds = Math.floor((Math.abs(microseconds) + 500_000) / 1_000_000);
      writeSeconds(microseconds < 0 ? -seconds : seconds, ASCII.space, out);
    },
    writeForJson(bytes, start, out) {
      out.writeByte(ASCII.quote);
      const microseconds = readMicroseconds(bytes, start);
      const seconds = Math.floor(microseconds / 1_000_000);
      writeSeconds(seconds, ASCII.t, out);
      let fraction = microseconds - seconds * 1_000_000;
      if (fraction > 0) {
        let digits = 6;
        for (; fraction % 10 === 0; fraction /= 10) digits -= 1;
        out.writeByte(ASCII.point);
        out.writeDigits(fraction, digits);
      }
      out.writeBytes(UTC_AND_QUOTE);
    },
  };
}

/** A number holds microseconds exactly until 2285. */
function readMicroseconds(bytes: Buffer, start: number): number {
  return bytes.readInt32BE(start) * 2 ** 32 + bytes.readUInt32BE(start + 4);
}
