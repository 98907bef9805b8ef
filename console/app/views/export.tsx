import { useState } from "react";
import { useView } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { useApi, useChange } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { Segments } from "#console/app/ui/segments.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import type { ExportStatus, Started } from "#console/contract/people.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";
import { Filters } from "./filters/filters.tsx";
import { PeopleCount } from "./people-count.tsx";

/** Frequent enough for visible progress. */
const PROGRESS_MS = 500;

export function Export({ linkDays }: { linkDays: number | null }) {
  const { query } = useView();
  const started = useApi<ExportStatus[]>("/api/exports", {
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? PROGRESS_MS : false),
  });
  return (
    <>
      <title>Export</title>
      <h1>Export</h1>
      <p className="quiet lead">
        A file with everyone who matches, in the order they joined, with times in UTC. It contains personal data: delete
        it when you are done.
      </p>
      <Filters />
      <NewExport query={query} linkDays={linkDays} />
      <Loaded query={started} empty="No exports in this session yet. Choose who and how above.">
        {(all) => (
          <ul className="exports" aria-label="Exports">
            {all.map((one) => (
              <ExportItem key={one.id} {...one} />
            ))}
          </ul>
        )}
      </Loaded>
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

const STATES: Record<ExportStatus["state"], { name: string; tone: string }> = {
  waiting: { name: "Starting", tone: "quiet" },
  running: { name: "Exporting", tone: "accent" },
  done: { name: "Done", tone: "good" },
  canceled: { name: "Canceled", tone: "quiet" },
  failed: { name: "Failed", tone: "bad" },
};

function isRunning({ state }: Pick<ExportStatus, "state">): boolean {
  return state === "waiting" || state === "running";
}

function ExportItem({ id, name, startedAt, state, people, total }: ExportStatus) {
  const cancel = useChange(() => post(`/api/exports/${id}/cancel`));
  const isOpen = isRunning({ state });
  return (
    <li className="toolbar">
      <span className="name">{name}</span>
      <Ago at={startedAt} />
      <span role="status" className={`status ${STATES[state].tone}`}>
        {STATES[state].name}
      </span>
      {isOpen && <progress aria-label={`Progress of ${name}`} value={people} max={Math.max(1, total)} />}
      <span>
        {isOpen && `${formatNumber(people)} of `}
        {pluralize(isOpen ? total : people, "person", "people")}
      </span>
      {isOpen && (
        <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      {cancel.error && <span role="alert">{cancel.error.message}</span>}
    </li>
  );
}
