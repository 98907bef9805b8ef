import { formatAgo, formatDateTime } from "#core/text/format.ts";

export function Ago({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time className="quiet" dateTime={at} title={`${formatDateTime(date)} UTC`}>
      {formatAgo(date, new Date())}
    </time>
  );
}
