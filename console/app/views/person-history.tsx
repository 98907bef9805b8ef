import type { Delivery, Person } from "#console/contract.ts";
import { formatDateTime } from "#core/format.ts";
import { ActivityList } from "./activity-list.tsx";

const KINDS: Record<Delivery["kind"], string> = {
  confirmation: "Confirmation",
  link: "Link to their page",
  invitation: "Invitation",
  announcement: "Announcement",
};

const STATES: Record<Delivery["state"], { name: string; tone: string }> = {
  pending: { name: "Pending", tone: "accent" },
  sent: { name: "Sent", tone: "good" },
  rejected: { name: "Rejected", tone: "bad" },
  skipped: { name: "Skipped", tone: "quiet" },
  failed: { name: "Failed", tone: "bad" },
};

/** The emails to one person, and what operators did to them. */
export function PersonHistory({ person: { deliveries, activity } }: { person: Person }) {
  return (
    <>
      <h3>Emails</h3>
      {deliveries.length === 0 && <p className="quiet">None yet.</p>}
      <ul className="history">
        {deliveries.map(({ kind, subject, state, why, at }) => (
          <li key={`${kind} ${at}`}>
            <p>
              <bdi>{subject || KINDS[kind]}</bdi>
              {subject && <span className="quiet"> · {KINDS[kind]}</span>}
            </p>
            <p className="quiet">
              <span className={`status ${STATES[state].tone}`}>{STATES[state].name}</span>
              {why && `${why} · `}
              {formatDateTime(new Date(at))}
            </p>
          </li>
        ))}
      </ul>
      <h3>Activity</h3>
      {activity.length === 0 ? (
        <p className="quiet">No operator activity yet.</p>
      ) : (
        <ActivityList entries={activity} formatTime={formatDateTime} them="them" />
      )}
    </>
  );
}
