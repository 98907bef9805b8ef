import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { REFETCH_INTERVAL_MS } from "#console/app/http/idle.ts";
import { Link } from "#console/app/http/location.tsx";
import { get } from "#console/app/http/request.ts";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import { Empty, Loaded } from "#console/app/ui/states.tsx";
import type { Wave } from "#console/contract/messages.ts";
import { formatDateTime, formatNumber, formatRoundedPercent } from "#core/format.ts";
import { type InvitedWave, UninviteDialog } from "./uninvite-dialog.tsx";

export function Waves({ isReadOnly }: { isReadOnly: boolean }) {
  const [chosen, setChosen] = useState<InvitedWave>();
  const [outcome, setOutcome] = useState("");
  const waves = useQuery({
    queryKey: ["waves"],
    queryFn: ({ signal }) => get<Wave[]>("/api/waves", signal),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  return (
    <>
      <title>Waves</title>
      <div className="heading">
        <h1>Waves</h1>
        {!isReadOnly && (
          <p className="actions">
            <Link className="button" href="/messages/new?kind=invitation">
              Invite people
            </Link>
          </p>
        )}
      </div>
      <p className="quiet lead">People who were invited together. An invitation starts a wave when it is sent.</p>
      <p role="status" className="outcome">
        {outcome}
      </p>
      <Loaded query={waves}>
        {(all) =>
          all.length === 0 ? (
            <Empty>Nobody has been invited yet.</Empty>
          ) : (
            <WaveTable waves={all} onTakeBack={isReadOnly ? undefined : setChosen} />
          )
        }
      </Loaded>
      {chosen && <UninviteDialog wave={chosen} onClose={() => setChosen(undefined)} onDone={setOutcome} />}
    </>
  );
}

type TakeBack = ((wave: InvitedWave) => void) | undefined;

function WaveTable({ waves, onTakeBack }: { waves: Wave[]; onTakeBack: TakeBack }) {
  return (
    <ScrollRegion label="Waves">
      <table className="plain waves">
        <thead>
          <tr>
            <th scope="col">Wave</th>
            <th scope="col">Started</th>
            <th scope="col">Invited</th>
            <th scope="col">Emailed</th>
            <th scope="col">Confirmed address</th>
            <th scope="col">Links</th>
          </tr>
        </thead>
        <tbody>
          {waves.map((wave) => (
            <tr key={wave.id}>
              <th scope="row">{wave.id}</th>
              <td className="quiet">{formatDateTime(new Date(wave.invitedAt))}</td>
              <td>{formatNumber(wave.invited)}</td>
              <td>{wave.messageId ? formatNumber(wave.mailed) : "–"}</td>
              <td>
                {formatNumber(wave.confirmed)}{" "}
                <span className="quiet">{formatRoundedPercent(wave.confirmed, wave.invited)}</span>
              </td>
              <td>
                <WaveLinks wave={wave} onTakeBack={onTakeBack} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function WaveLinks({ wave: { id, messageId, invited }, onTakeBack }: { wave: Wave; onTakeBack: TakeBack }) {
  const of = <span className="visually-hidden"> of wave {id}</span>;
  return (
    <span className="row-links">
      <Link href={`/people?wave=${id}`}>People{of}</Link>
      <Link href={`/export?wave=${id}`}>Export{of}</Link>
      {messageId && <Link href={`/messages/${messageId}`}>Message{of}</Link>}
      {onTakeBack && (
        <button type="button" onClick={() => onTakeBack({ id, invited })}>
          Take back…<span className="visually-hidden"> wave {id}</span>
        </button>
      )}
    </span>
  );
}
