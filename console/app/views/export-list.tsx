import { useMutation, useQueryClient } from "@tanstack/react-query";
import { post } from "#console/app/http/request.ts";
import { Ago } from "#console/app/ui/ago.tsx";
import type { ExportStatus } from "#console/contract.ts";
import { formatNumber, pluralize } from "#core/format.ts";

const STATES: Record<ExportStatus["state"], { name: string; tone: string }> = {
  waiting: { name: "Starting", tone: "quiet" },
  running: { name: "Exporting", tone: "accent" },
  done: { name: "Done", tone: "good" },
  canceled: { name: "Canceled", tone: "quiet" },
  failed: { name: "Failed", tone: "bad" },
};

export function ExportList({ exports }: { exports: ExportStatus[] }) {
  return (
    <ul className="exports" aria-label="Exports">
      {exports.map((one) => (
        <Started key={one.id} {...one} />
      ))}
    </ul>
  );
}

export function isRunning({ state }: Pick<ExportStatus, "state">): boolean {
  return state === "waiting" || state === "running";
}

function Started({ id, name, startedAt, state, people, total }: ExportStatus) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => post(`/api/exports/${id}/cancel`),
    onSettled: () => client.invalidateQueries({ queryKey: ["/api/exports"] }),
  });
  const isOpen = isRunning({ state });
  return (
    <li>
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
        <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </button>
      )}
      {cancel.error && <span role="alert">{cancel.error.message}</span>}
    </li>
  );
}
