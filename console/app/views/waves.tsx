import { useState } from "react";
import { Link } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { isTeam } from "#console/app/http/session.ts";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Button, ButtonLink } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import { Copyable } from "#console/app/ui/copyable.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import { type Columns, Table } from "#console/app/ui/table.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import { AcceptanceSecret } from "#console/app/views/acceptance-secret.tsx";
import { may, type Role } from "#console/contract/roles.ts";
import type { Uninvited, Wave } from "#console/contract/waves.ts";
import { formatNumber, formatRoundedPercent, pluralize } from "#core/text/format.ts";

export function Waves({ role }: { role: Role }) {
  const [chosen, setChosen] = useState<Wave>();
  const [listed, setListed] = useState<Wave>();
  const [outcome, setOutcome] = useState("");
  const waves = useApi<Wave[]>("/api/waves", LIVE);
  const columns: Columns<Wave> = {
    Wave: ({ id }) => (
      <Link className="row-link" href={`/people?wave=${id}`}>
        Wave {id}
      </Link>
    ),
    Started: ({ invitedAt }) => <Ago at={invitedAt} />,
    Invited: ({ invited }) => formatNumber(invited),
    Emailed: ({ messageId, mailed }) => (messageId ? formatNumber(mailed) : "–"),
    Accepted: ({ accepted, invited }) => (
      <>
        {formatNumber(accepted)} <span className="quiet share">{formatRoundedPercent(accepted, invited)}</span>
      </>
    ),
    Actions: (wave) => <WaveLinks wave={wave} role={role} onTakeBack={setChosen} onList={setListed} />,
  };
  return (
    <>
      <title>Waves</title>
      <div className="heading">
        <h1>Waves</h1>
        {may(role, "write") && (
          <div className="actions">
            {may(role, "administer") && <AcceptanceSecret />}
            <ButtonLink href="/messages/new?kind=invitation">Invite people</ButtonLink>
          </div>
        )}
      </div>
      <p className="quiet lead">People who were invited together. An invitation starts a wave when it is sent.</p>
      <p role="status" className="outcome">
        {outcome}
      </p>
      <Loaded query={waves} empty="Nobody has been invited yet. “Invite people” starts the first wave.">
        {(all) => <Table label="Waves" className="waves" rows={all} columns={columns} />}
      </Loaded>
      {listed && <TakenBackDialog wave={listed} onClose={() => setListed(undefined)} />}
      {chosen && (
        <ChangeDialog
          title={`Take back ${pluralize(chosen.invited - chosen.accepted, "invitation")}?`}
          action="Take back"
          isDestructive
          change={() => post<Uninvited>(`/api/waves/${chosen.id}/uninvite`)}
          onDone={({ uninvited }) => setOutcome(`Took back ${pluralize(uninvited, "invitation")}.`)}
          progress={<p role="status">Taking back invitations…</p>}
          onClose={() => setChosen(undefined)}
        >
          <p>
            Everyone in wave {chosen.id} {chosen.accepted > 0 && "who hasn't used their invitation "}goes back to
            waiting, and can be invited again. Links that were already sent still work until your product refuses them.
          </p>
        </ChangeDialog>
      )}
    </>
  );
}

interface WaveLinksProps {
  wave: Wave;
  role: Role;
  onTakeBack: (wave: Wave) => void;
  onList: (wave: Wave) => void;
}

function WaveLinks({ wave, role, onTakeBack, onList }: WaveLinksProps) {
  const { id, messageId, invited, accepted, takenBack } = wave;
  const mayWrite = may(role, "write");
  const of = <span className="visually-hidden"> of wave {id}</span>;
  return (
    <span className="row-links">
      {may(role, "export") && <Link href={`/export?wave=${id}`}>Export{of}</Link>}
      {messageId && <Link href={`/messages/${messageId}`}>Message{of}</Link>}
      {mayWrite && <Link href={`/messages/new?kind=announcement&wave=${id}`}>Write{of}</Link>}
      {mayWrite && invited > accepted && (
        <Button onClick={() => onTakeBack(wave)}>
          Take back…<span className="visually-hidden"> wave {id}</span>
        </Button>
      )}
      {/* The team's console has no invitation keys, so it can't list the IDs. */}
      {takenBack > 0 &&
        (isTeam() ? (
          <span className="quiet">{formatNumber(takenBack)} taken back</span>
        ) : (
          <Button onClick={() => onList(wave)}>
            {formatNumber(takenBack)} taken back…{of}
          </Button>
        ))}
    </span>
  );
}

function TakenBackDialog({ wave: { id, takenBack }, onClose }: { wave: Wave; onClose: () => void }) {
  const ids = useApi<string[]>(`/api/waves/${id}/taken-back`);
  return (
    <ConfirmDialog title={`${pluralize(takenBack, "invitation")} of wave ${id} taken back`} onClose={onClose}>
      <p>
        Links that were already sent still work until they expire. For your product to refuse them, an engineer adds
        these IDs to its table of spent invitations (docs/invitations.md).
      </p>
      <Loaded query={ids} empty="These invitations have no links.">
        {(all) => <Copyable label="IDs" text={all.join("\n")} />}
      </Loaded>
    </ConfirmDialog>
  );
}
