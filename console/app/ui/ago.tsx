import { formatAgo, formatDateTime } from "#core/format.ts";

/** A relative time, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time className="quiet" dateTime={at} title={`${formatDateTime(date)} UTC`}>
      {formatAgo(date, new Date())}
    </time>
  );
}
