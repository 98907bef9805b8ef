import { useState } from "react";
import { useView } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { useChange } from "#console/app/http/use-api.ts";
import { Segments } from "#console/app/ui/segments.tsx";
import type { Started } from "#console/contract/people.ts";
import { Filters } from "./filters/filters.tsx";
import { PeopleCount } from "./people-count.tsx";

export function Export({ linkDays }: { linkDays: number | null }) {
  const { query } = useView();
  return (
    <>
      <title>Export</title>
      <h1>Export</h1>
      <p className="quiet lead">
        A file with everyone who matches, in the order they joined, with times in UTC. It contains personal data: delete
        it when you are done. Your browser shows the download's progress and can cancel it.
      </p>
      <Filters />
      <NewExport query={query} linkDays={linkDays} />
    </>
  );
}

const FORMATS = { csv: "CSV", jsonl: "JSON Lines" };

function NewExport({ query, linkDays }: { query: string; linkDays: number | null }) {
  const [format, setFormat] = useState<keyof typeof FORMATS>("csv");
  const [bom, setBom] = useState(true);
  const [link, setLink] = useState(false);
  const isExcel = bom && format === "csv";
  const start = useChange(async () => {
    const filter = Object.fromEntries(new URLSearchParams(query));
    const { id } = await post<Started>("/api/exports", { ...filter, format, bom: isExcel, link });
    // The browser streams the download to disk; a script would hold all of it in memory. The response's headers make
    // it a download. With a link's `download` attribute, WebKit would omit Sec-Fetch-Site, so the API would reject it.
    location.assign(`/api/exports/${id}/file`);
  });
  return (
    <form
      className="toolbar new-export"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <Segments label="Format" titles={FORMATS} chosen={format} onChoose={setFormat} />
      {format === "csv" && (
        <label>
          <input type="checkbox" checked={bom} onChange={({ target }) => setBom(target.checked)} /> For Excel
        </label>
      )}
      {linkDays && (
        <label>
          <input type="checkbox" checked={link} onChange={({ target }) => setLink(target.checked)} /> Add each person's
          member link
        </label>
      )}
      <button type="submit" className="primary" disabled={start.isPending}>
        Export
      </button>
      <PeopleCount query={query} isZeroShown />
      {link && (
        <p className="warning">
          Anyone with this file can open the member page of everyone in it for {linkDays} days. Delete it when you are
          done.
        </p>
      )}
      {start.error && <p role="alert">{start.error.message}</p>}
    </form>
  );
}
