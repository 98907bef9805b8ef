import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { navigate, useView } from "#console/app/http/location.tsx";
import { get, post } from "#console/app/http/request.ts";
import { Loaded } from "#console/app/ui/states.tsx";
import type { ExportStatus, PeopleCount, Started } from "#console/contract.ts";
import { countText } from "./count-text.ts";
import { ExportList } from "./export-list.tsx";
import { Filters } from "./filters.tsx";

/** Often enough to see it move. */
const PROGRESS_MS = 500;

export function Export({ linkDays }: { linkDays: number | null }) {
  const { query } = useView();
  const started = useQuery({
    queryKey: ["exports"],
    queryFn: ({ signal }) => get<ExportStatus[]>("/api/exports", signal),
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? PROGRESS_MS : false),
  });
  return (
    <>
      <title>Export</title>
      <h1>Export</h1>
      <p className="quiet lead">
        The same file as <code>waitlist export</code>, in the order people joined. It contains personal data: delete it
        when you are done.
      </p>
      <Filters values={new URLSearchParams(query)} onChange={(values) => navigate(`?${values}`, { replace: true })} />
      <NewExport query={query} linkDays={linkDays} />
      <Loaded query={started}>{(all) => <ExportList exports={all} />}</Loaded>
    </>
  );
}

function isUnfinished({ state }: ExportStatus): boolean {
  return state === "waiting" || state === "running";
}

const FORMATS = { csv: "CSV", jsonl: "JSON Lines" };
type Format = keyof typeof FORMATS;

function NewExport({ query, linkDays }: { query: string; linkDays: number | null }) {
  const client = useQueryClient();
  const [format, setFormat] = useState<Format>("csv");
  const [bom, setBom] = useState(false);
  const [link, setLink] = useState(false);
  const count = useQuery({
    queryKey: ["people", "count", query],
    queryFn: ({ signal }) => get<PeopleCount>(`/api/people/count?${query}`, signal),
  });
  const start = useMutation({
    mutationFn: () =>
      post<Started>("/api/exports", { ...Object.fromEntries(new URLSearchParams(query)), format, bom, link }),
    onSuccess: ({ id }) => {
      download(`/api/exports/${id}/file`);
      return client.invalidateQueries({ queryKey: ["exports"] });
    },
  });
  return (
    <form
      className="new-export"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <fieldset className="segments">
        <legend className="visually-hidden">Format</legend>
        {Object.entries(FORMATS).map(([value, title]) => (
          <button key={value} type="button" aria-pressed={format === value} onClick={() => setFormat(value as Format)}>
            {title}
          </button>
        ))}
      </fieldset>
      <label>
        <input type="checkbox" checked={bom} onChange={({ target }) => setBom(target.checked)} /> For Excel (byte order
        mark)
      </label>
      {linkDays && (
        <label>
          <input type="checkbox" checked={link} onChange={({ target }) => setLink(target.checked)} /> Add each person's
          member link
        </label>
      )}
      <button type="submit" className="primary" disabled={start.isPending}>
        Export
      </button>
      <span className="quiet" role="status">
        {countText(count.data)}
      </span>
      {link && (
        <p className="warning">
          Anyone with this file can open the page of everyone in it for {linkDays} days. Delete it when you are done.
        </p>
      )}
      {start.error && <p role="alert">{start.error.message}</p>}
    </form>
  );
}

/**
 * The browser downloads it, writing to disk as the file arrives; a script would hold all of it in memory. The response's
 * headers make it a download: with the attribute `download`, WebKit would send no Sec-Fetch-Site and be refused.
 */
function download(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.click();
}
