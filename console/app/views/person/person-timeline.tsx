import type { ReactNode } from "react";
import { Ago } from "#console/app/ui/times.tsx";
import { Sentence } from "#console/app/views/activity.tsx";
import { KINDS as MESSAGE_KINDS } from "#console/app/views/message/message-status.ts";
import type { Delivery, Person } from "#console/contract/people.ts";

const KINDS: Record<Delivery["kind"], string> = { ...MESSAGE_KINDS, link: "Link to their page" };

const STATES: Record<Delivery["state"], { name: string; tone: string }> = {
  pending: { name: "Pending", tone: "accent" },
  sent: { name: "Sent", tone: "good" },
  bounced: { name: "Bounced", tone: "bad" },
  complained: { name: "Complained", tone: "bad" },
  skipped: { name: "Skipped", tone: "quiet" },
  failed: { name: "Failed", tone: "bad" },
};

export function PersonTimeline({ person }: { person: Person }) {
  const events = eventsOf(person).toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <>
      <h3>Timeline</h3>
      <ol className="timeline">
        {events.map(({ at, title, detail, tone }, index) => (
          <li key={`${at} ${index}`}>
            <div className={`status ${tone}`}>{title}</div>
            <Ago at={at} />
            {detail && <p className="quiet">{detail}</p>}
          </li>
        ))}
      </ol>
    </>
  );
}

function eventsOf({ consents, deliveries, activity, ...person }: Person) {
  const event = (at: string | null, title: ReactNode, tone = "", detail = "") =>
    at ? [{ at, title, tone, detail }] : [];
  return [
    ...activity.map((entry) => event(entry.at, <Sentence entry={entry} them="them" />, "", entry.via)),
    ...deliveries.map(({ kind, subject, state, why, at }) => {
      const detail = ["Email", subject && KINDS[kind], STATES[state].name, why].filter(Boolean).join(" · ");
      return event(at, <bdi>{subject || KINDS[kind]}</bdi>, STATES[state].tone, detail);
    }),
    event(person.setAsideAt, "Set aside: not on the list, and gets no email", "bad"),
    event(person.suppressedAt, "Suppressed: gets no more email", "bad"),
    event(person.acceptedAt, "Accepted their invitation", "good"),
    event(person.invitedAt, "Invited", "accent"),
    event(person.confirmedAt, "Confirmed their address", "good"),
    ...consents.map(({ at, given, wording, version }) =>
      event(at, given ? "Subscribed to the newsletter" : "Unsubscribed", "", `“${wording}” (version ${version})`),
    ),
    event(person.joinedAt, "Joined"),
  ].flat();
}
