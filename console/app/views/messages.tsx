import { Bar } from "#console/app/charts/charts.tsx";
import { Link } from "#console/app/http/location.tsx";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { ButtonLink } from "#console/app/ui/button.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import { type Columns, Table } from "#console/app/ui/table.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import type { MessageRow } from "#console/contract/messages.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { formatNumber } from "#core/text/format.ts";
import { MailNotice } from "./message/mail-notice.tsx";
import { countPeople, KINDS, paceText, STATES } from "./message/message-status.ts";

export function MessageList({ role }: { role: Role }) {
  const messages = useApi<MessageRow[]>("/api/messages", LIVE);
  return (
    <>
      <title>Messages</title>
      <div className="heading">
        <h1>Messages</h1>
        {may(role, "write") && (
          <p className="actions">
            <ButtonLink href="/messages/1">Confirmation email</ButtonLink>
            <ButtonLink href="/messages/0">Reminder</ButtonLink>
            <ButtonLink href="/messages/new?kind=announcement">New announcement</ButtonLink>
            <ButtonLink href="/messages/new?kind=invitation">New invitation</ButtonLink>
          </p>
        )}
      </div>
      <MailNotice />
      <Loaded
        query={messages}
        empty="No messages yet. An announcement goes to newsletter subscribers, an invitation to the next people in line."
      >
        {(all) => <Table label="Messages" className="messages" rows={all} columns={COLUMNS} />}
      </Loaded>
    </>
  );
}

const COLUMNS: Columns<MessageRow> = {
  Subject: ({ id, subject }) => (
    <Link className="row-link" href={`/messages/${id}`}>
      <bdi>{subject}</bdi>
    </Link>
  ),
  Kind: ({ kind }) => KINDS[kind],
  Status: ({ state }) => <span className={`status ${STATES[state].tone}`}>{STATES[state].name}</span>,
  Sent: (message) => <Sent message={message} />,
  Pace: ({ pace }) => <span className="quiet">{paceText(pace)}</span>,
  Created: ({ createdAt }) => <Ago at={createdAt} />,
};

function Sent({ message }: { message: MessageRow }) {
  const people = countPeople(message);
  if (people === 0) return <span className="quiet">–</span>;
  const { sent } = message.progress;
  return (
    <span className="sent">
      {formatNumber(sent)} of {formatNumber(people)}
      <Bar value={sent} max={people} />
    </span>
  );
}
