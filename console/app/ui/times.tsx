import { formatAgo, formatDateTime } from "#core/text/format.ts";
import { localDate, localDateTime } from "./local-time.ts";

const inUtc = (at: string) => `${formatDateTime(new Date(at))} UTC`;

export function Time({ at, format = localDateTime }: { at: string; format?: typeof localDate }) {
  return (
    <time dateTime={at} title={inUtc(at)}>
      {format(at)}
    </time>
  );
}

export function Ago({ at }: { at: string }) {
  return (
    <time className="quiet" dateTime={at} title={`${localDateTime(at)} (${inUtc(at)})`}>
      {formatAgo(new Date(at), new Date(), localDate(at))}
    </time>
  );
}
