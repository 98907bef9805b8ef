import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { useApi, useChange } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import {
  type ImportBody,
  type Imported,
  type ImportPreview,
  MAX_IMPORT_MB,
  type PastImport,
} from "#console/contract/people.ts";
import { decodeText } from "#core/text/decode-text.ts";
import { pluralize } from "#core/text/format.ts";
import { SetAsideDialog } from "./quarantine/set-aside-dialog.tsx";

const peopleIn = (people: number) => pluralize(people, "person", "people");

export function Import() {
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState("");
  const [takenBack, setTakenBack] = useState<string>();
  const { data: imports = [] } = useApi<PastImport[]>("/api/imports");
  const preview = useMutation({
    mutationFn: async (fields: FormData) => {
      const body = await readBody(fields);
      return { body, preview: await post<ImportPreview>("/api/imports/preview", body) };
    },
  });
  const change = useChange(async (work: () => Promise<string>) => setOutcome(await work()));
  const add = async (body: ImportBody) => {
    const { imported, isMailed } = await post<Imported>("/api/imports", body);
    form.current?.reset();
    preview.reset();
    const next = isMailed ? "They will be asked to confirm." : "Mail is off, so they aren't asked to confirm.";
    return `Imported ${peopleIn(imported)}. ${next}`;
  };
  const error = preview.error ?? change.error;
  const data = preview.data;
  return (
    <>
      <title>Import</title>
      <p className="crumbs">
        <Link href="/people">People</Link>
      </p>
      <h1>Import people</h1>
      <p className="quiet lead">
        They are asked to confirm, and get no other email until they do. Nobody who is on the list already is changed.
      </p>
      <p role="status" className="outcome">
        {preview.isPending ? "Reading the file…" : change.isPending ? "Changing the list…" : outcome}
      </p>
      {error && <p role="alert">{error.message}</p>}
      {imports.length > 0 && (
        <section className="day" aria-labelledby="imports">
          <h2 id="imports">Imports</h2>
          <ul className="history">
            {imports.map(({ source, people, at }) => (
              <li key={source} className="toolbar">
                <span>
                  <Link href={`/people?${new URLSearchParams({ import: source })}`}>{peopleIn(people)}</Link> from{" "}
                  <bdi>{source}</bdi>, <Ago at={at} />
                </span>
                <Button disabled={change.isPending} onClick={() => setTakenBack(source)}>
                  Set aside…<span className="visually-hidden"> the import from {source}</span>
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <form
        className="toolbar new-export import"
        ref={form}
        onChange={preview.reset}
        onSubmit={(event) => {
          event.preventDefault();
          change.reset();
          preview.mutate(new FormData(event.currentTarget));
        }}
      >
        <label className="field">
          CSV file, at most {MAX_IMPORT_MB} MB
          <input type="file" name="file" required accept=".csv,.tsv,.txt" />
        </label>
        <label className="field">
          Where they gave you their address
          <input name="source" required maxLength={254} placeholder="Trade fair 2026" />
        </label>
        <label className="field">
          Consent wording for product news (if empty, nobody is subscribed)
          <textarea name="wording" rows={2} maxLength={10_000} />
        </label>
        <button type="submit" className={data ? "" : "primary"} disabled={preview.isPending}>
          Preview
        </button>
      </form>
      {takenBack !== undefined && (
        <SetAsideDialog
          query={String(new URLSearchParams({ import: takenBack }))}
          onDone={setOutcome}
          onClose={() => setTakenBack(undefined)}
        />
      )}
      {data && (
        <Preview {...data.preview} isPending={change.isPending} onImport={() => change.mutate(() => add(data.body))} />
      )}
    </>
  );
}

type PreviewProps = ImportPreview & { isPending: boolean; onImport: () => void };

function Preview({ people, counts, refused, others, columns, isPending, onImport }: PreviewProps) {
  const used = columns.flatMap(({ title, becomes }) => (becomes ? [[becomes, `from “${title}”`]] : []));
  const ignored = columns.flatMap(({ title, becomes }) => (becomes ? [] : title));
  return (
    <section className="day" aria-labelledby="preview">
      <h2 id="preview">
        <span role="status">{counts}</span>
      </h2>
      <KeyValueList values={{ ...Object.fromEntries(used), "Ignored columns": ignored.join(", ") || "None" }} />
      <Button className="primary" disabled={isPending || people === 0} onClick={onImport}>
        Import {peopleIn(people)}
      </Button>
      <ul className="history" aria-label="Refused rows">
        {refused.map((row) => (
          <li key={row}>
            <bdi>{row}</bdi>
          </li>
        ))}
        {others > 0 && <li>And {pluralize(others, "more row")}.</li>}
      </ul>
    </section>
  );
}

async function readBody(fields: FormData): Promise<ImportBody> {
  const file = fields.get("file") as File;
  if (file.size > MAX_IMPORT_MB * 1_000_000)
    throw new Error("This file is too large. Split it, or ask an engineer to run “npx waitlist import”.");
  const [source = "", wording] = ["source", "wording"].map((name) => String(fields.get(name)).trim());
  return { file: decodeText(new Uint8Array(await file.arrayBuffer())), source, wording: wording || undefined };
}
