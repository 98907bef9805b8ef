import { get, post } from "#console/app/http/request.ts";
import { useDebounced } from "#console/app/http/use-debounced.ts";
import type { MessageKind, Preview as PreviewData } from "#console/contract/messages.ts";
import { Preview } from "./preview.tsx";

const TYPING_MS = 400;

/** Shows text that may not be saved yet. */
export function DraftPreview({ kind, subject, body }: { kind: MessageKind; subject: string; body: string }) {
  const source = useDebounced(JSON.stringify({ kind, subject, body }), TYPING_MS);
  return (
    <Preview source={source} load={(scheme) => post<PreviewData>("/api/previews", { ...JSON.parse(source), scheme })} />
  );
}

export function SavedPreview({ id }: { id: string }) {
  return (
    <Preview
      source={`message ${id}`}
      load={(scheme, signal) => get<PreviewData>(`/api/messages/${id}/preview?scheme=${scheme}`, signal)}
    />
  );
}
