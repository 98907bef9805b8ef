import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { Link } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { useApi, useChange } from "#console/app/http/use-api.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import {
  type Import as Done,
  type ImportBody,
  type Imported,
  type ImportPreview,
  MAX_IMPORT_MB,
  type Removed,
} from "#console/contract/imports.ts";
import { decodeText } from "#core/text/decode-text.ts";
import { pluralize } from "#core/text/format.ts";
import { Preview } from "./import-preview.tsx";

const peopleIn = (people: number) => pluralize(people, "person", "people");

export function Import() {
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<{ text: string; source?: string }>({ text: "" });
  const [undone, setUndone] = useState<string>();
  const { data: imports = [] } = useApi<Done[]>("/api/imports");
  const preview = useMutation({
    mutationFn: async (fields: FormData) => {
      const body = await readBody(fields);
      return { body, preview: await post<ImportPreview>("/api/imports/preview", body) };
    },
  });
  const start = useChange(async (body: ImportBody) => {
    const { imported, isMailed } = await post<Imported>("/api/imports", body);
    const next = isMailed ? "They will be asked to confirm." : "Mail is off, so they aren't asked to confirm.";
    setOutcome({ text: `Imported ${peopleIn(imported)}. ${next}`, source: body.source });
    form.current?.reset();
    preview.reset();
  });
  const reset = () => {
    preview.reset();
    start.reset();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setOutcome({ text: "" });
    start.reset();
    preview.mutate(new FormData(event.currentTarget));
  };
  const error = preview.error ?? start.error;
  return (
    <>
      <title>Import</title>
      <h1>Import</h1>
      <p className="quiet lead">
        Puts people from a CSV file on the list and asks them to confirm. Until they do, they get no other email. Nobody
        who is on the list already is changed.
      </p>
      <div role="status" className="outcome toolbar">
        {outcome.text}
        {outcome.source && (
          <button type="button" onClick={() => setUndone(outcome.source)}>
            Undo…
          </button>
        )}
      </div>
      <form className="new-export import" ref={form} onSubmit={submit} onChange={reset}>
        <label className="field">
          CSV file, at most {MAX_IMPORT_MB} MB
          <input type="file" name="file" required accept=".csv,.tsv,.txt,text/csv" />
        </label>
        <label className="field">
          Where they gave you their address
          <input name="source" required maxLength={254} placeholder="Trade fair 2026" />
        </label>
        <label className="field">
          The words by which they agreed to product news; without them, nobody is subscribed
          <textarea name="wording" rows={2} maxLength={10_000} />
        </label>
        <button type="submit" className={preview.data ? "" : "primary"} disabled={preview.isPending}>
          Preview
        </button>
        {preview.isPending && <p role="status">Reading the file…</p>}
        {error && <p role="alert">{error.message}</p>}
      </form>
      {preview.data && (
        <Preview
          {...preview.data.preview}
          isPending={start.isPending}
          onImport={() => start.mutate(preview.data.body)}
        />
      )}
      {imports.length > 0 && (
        <section className="day" aria-labelledby="imports">
          <h2 id="imports">Imports in which nobody has confirmed</h2>
          <ul className="history">
            {imports.map(({ source, people, at }) => (
              <li key={source} className="toolbar">
                <span>
                  <Link href={`/people?${new URLSearchParams({ source })}`}>{peopleIn(people)}</Link> from{" "}
                  <bdi>{source}</bdi>, <Ago at={at} />
                </span>
                <button type="button" onClick={() => setUndone(source)}>
                  Undo…<span className="visually-hidden"> the import from {source}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {undone !== undefined && (
        <ChangeDialog
          title={`Undo the import from “${undone}”?`}
          action="Undo"
          isDestructive
          change={() => post<Removed>("/api/imports/undo", { source: undone })}
          onDone={({ removed }) => setOutcome({ text: `Removed ${peopleIn(removed)}.` })}
          progress={<p role="status">Removing people…</p>}
          onClose={() => setUndone(undefined)}
        >
          <p>
            Everyone in it leaves the list, and links in emails that they got stop working. You can import the file
            again.
          </p>
        </ChangeDialog>
      )}
    </>
  );
}

async function readBody(fields: FormData): Promise<ImportBody> {
  const file = fields.get("file") as File;
  if (file.size > MAX_IMPORT_MB * 1_000_000) {
    throw new Error(
      `This file is larger than ${MAX_IMPORT_MB} MB. Split it, or ask an engineer to run “npx waitlist import”.`,
    );
  }
  const [source = "", wording] = ["source", "wording"].map((name) => String(fields.get(name)).trim());
  return { file: decodeText(new Uint8Array(await file.arrayBuffer())), source, wording: wording || undefined };
}
