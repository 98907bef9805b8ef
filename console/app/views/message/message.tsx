import { REFETCH_INTERVAL_MS } from "#console/app/http/idle.ts";
import { Link, useView } from "#console/app/http/location.tsx";
import { useApi, useMessageSettings } from "#console/app/http/use-api.ts";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Message, MessageKind } from "#console/contract/messages.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { AUDIENCE_FILTERS } from "#core/people/filter-fields.ts";
import { Editor } from "./editor.tsx";
import { KINDS, STATES } from "./message-status.ts";
import { ReminderSwitch } from "./reminder-switch.tsx";
import { Results } from "./results.tsx";
import { draftOf } from "./use-draft.ts";

/** Frequent enough for visible progress. */
const SENDING_MS = 2000;

export function MessageView({ id, role }: { id: string; role: Role }) {
  return (
    <>
      <p className="crumbs">
        <Link href="/messages">Messages</Link>
      </p>
      {id === "new" && may(role, "write") ? <NewMessage /> : <OneMessage id={id} role={role} />}
    </>
  );
}

function NewMessage() {
  const { kind: asked, ...filters } = Object.fromEntries(new URLSearchParams(useView().query));
  const kind: MessageKind = asked === "invitation" ? "invitation" : "announcement";
  const known: string[] = ["next", ...AUDIENCE_FILTERS];
  const audience = Object.fromEntries(Object.entries(filters).filter(([name]) => known.includes(name)));
  const settings = useMessageSettings();
  return (
    <>
      <title>{`New ${kind}`}</title>
      <h1>New {kind}</h1>
      <Loaded query={settings}>
        {({ invitation }) => {
          const text = { subject: "", body: "", ...(kind === "invitation" && invitation) };
          return <Editor key={kind} kind={kind} saved={{ ...text, audience, pace: null, delay: null, version: 0 }} />;
        }}
      </Loaded>
    </>
  );
}

function OneMessage({ id, role }: { id: string; role: Role }) {
  const message = useApi<Message>(`/api/messages/${id}`, {
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.state === "sending" && state.data.kind !== "reminder" ? SENDING_MS : REFETCH_INTERVAL_MS,
  });
  return (
    <>
      <title>{message.data?.subject ?? "Message"}</title>
      {message.data ? <Heading message={message.data} /> : <h1>Message {id}</h1>}
      <Loaded query={message}>
        {(found) =>
          (found.state === "draft" || found.kind === "confirmation" || found.kind === "reminder") &&
          may(role, "write") ? (
            <>
              {found.kind === "reminder" && <ReminderSwitch message={found} />}
              <Editor key={id} kind={found.kind} saved={draftOf(found)} message={found} />
            </>
          ) : (
            <Results message={found} role={role} />
          )
        }
      </Loaded>
    </>
  );
}

const SWITCH_STATES = { ...STATES, sending: { name: "On", tone: "good" }, paused: { name: "Off", tone: "quiet" } };

function Heading({ message: { subject, state, kind } }: { message: Message }) {
  const { name, tone } = (kind === "reminder" ? SWITCH_STATES : STATES)[state];
  return (
    <div className="heading">
      <h1>
        <bdi>{subject}</bdi>
      </h1>
      <p>
        <span className={`status ${tone}`}>{name}</span>
        <span className="quiet">{KINDS[kind]}</span>
      </p>
    </div>
  );
}
