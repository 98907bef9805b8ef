import { Bar } from "#console/app/charts/charts.tsx";
import { Link } from "#console/app/http/location.tsx";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Ago } from "#console/app/ui/ago.tsx";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import { TableHead } from "#console/app/ui/table-head.tsx";
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
            <Link className="button" href="/messages/1">
              Confirmation email
            </Link>
            <Link className="button" href="/messages/new?kind=announcement">
              New announcement
            </Link>
            <Link className="button" href="/messages/new?kind=invitation">
              New invitation
            </Link>
          </p>
        )}
      </div>
      <MailNotice />
      <Loaded
        query={messages}
        empty="No messages yet. An announcement goes to newsletter subscribers, an invitation to the next people in line."
      >
        {(all) => <MessageTable messages={all} />}
      </Loaded>
    </>
  );
}

function MessageTable({ messages }: { messages: MessageRow[] }) {
  return (
    <ScrollRegion label="Messages">
      <table className="plain messages">
        <TableHead columns={["Subject", "Kind", "Status", "Sent", "Pace", "Created"]} />
        <tbody>
          {messages.map((message) => (
            <tr key={message.id}>
              <th scope="row">
                <Link className="row-link" href={`/messages/${message.id}`}>
                  <bdi>{message.subject}</bdi>
                </Link>
              </th>
              <td>{KINDS[message.kind]}</td>
              <td>
                <span className={`status ${STATES[message.state].tone}`}>{STATES[message.state].name}</span>
              </td>
              <td>
                <Sent message={message} />
              </td>
              <td className="quiet">{paceText(message.pace)}</td>
              <td>
                <Ago at={message.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

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
