import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParameters } from "#console/app/http/location.tsx";
import { get, post } from "#console/app/http/request.ts";
import { useDebounced } from "#console/app/http/use-debounced.ts";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import { Segments } from "#console/app/ui/segments.tsx";
import { Loading } from "#console/app/ui/states.tsx";
import type { ColorScheme, MessageKind, Preview as PreviewData } from "#console/contract/messages.ts";

const VIEWS = { light: "Light", dark: "Dark", phone: "Phone", text: "Text" };
type View = keyof typeof VIEWS;

export function DraftPreview({ kind, subject, body }: { kind: MessageKind; subject: string; body: string }) {
  const source = useDebounced(JSON.stringify({ kind, subject, body }));
  return (
    <Preview source={source} load={(scheme) => post<PreviewData>("/api/previews", { ...JSON.parse(source), scheme })} />
  );
}

export function SavedPreview({ id }: { id: string }) {
  const path = `/api/messages/${id}/preview`;
  return <Preview source={path} load={(scheme, signal) => get<PreviewData>(`${path}?scheme=${scheme}`, signal)} />;
}

interface PreviewProps {
  /** Part of the query's key; changes with the text. */
  source: string;
  load: (scheme: ColorScheme, signal: AbortSignal) => Promise<PreviewData>;
}

function Preview({ source, load }: PreviewProps) {
  const { values, change } = useParameters();
  const chosen = values.get("view") ?? "light";
  const view: View = chosen in VIEWS ? (chosen as View) : "light";
  const scheme = view === "dark" ? "dark" : "light";
  const preview = useQuery({
    queryKey: ["preview", source, scheme],
    queryFn: ({ signal }) => load(scheme, signal),
    retry: false,
    // A preview's path expires, so caching it is useless.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Shown while the next preview is loading, or if it fails because of a mistake in the text.
  const [lastGood, setLastGood] = useState(preview.data);
  if (preview.data && preview.data !== lastGood) setLastGood(preview.data);
  return (
    <section className="preview card" aria-label="Preview">
      <header>
        <h2>Preview</h2>
        <Segments label="Show as" titles={VIEWS} chosen={view} onChoose={(name) => change("view", name)} />
      </header>
      {preview.error && <p role="alert">{preview.error.message}</p>}
      {preview.isPending && !lastGood && <Loading />}
      {lastGood && <Mail mail={lastGood} view={view} />}
    </section>
  );
}

function Mail({ mail: { from, subject, text, path }, view }: { mail: PreviewData; view: View }) {
  return (
    <>
      <KeyValueList className="envelope" values={{ ...(from && { From: from }), Subject: subject }} />
      {view === "text" && (
        <ScrollRegion className="mail" aria-label="Text of the email">
          <pre>{text}</pre>
        </ScrollRegion>
      )}
      {/* Hides the iframe instead of removing it, because it can't be loaded again once its path has expired. */}
      <iframe className={`mail ${view}`} title="The email" sandbox="" src={path} hidden={view === "text"} />
    </>
  );
}
