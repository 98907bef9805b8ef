import { useQuery } from "@tanstack/react-query";
import { REFETCH_INTERVAL_MS } from "#console/app/http/idle.ts";
import { Link, useView } from "#console/app/http/location.tsx";
import { get } from "#console/app/http/request.ts";
import { Loaded, RefetchFailed } from "#console/app/ui/states.tsx";
import type { DraftFields, Message, MessageKind, MessageSettings } from "#console/contract/messages.ts";
import { Editor } from "./editor.tsx";
import { KINDS, STATES } from "./message-status.ts";
import { Results } from "./results.tsx";
import { useMessageSettings } from "./settings.ts";
import { draftOf } from "./use-draft.ts";

/** Often enough to watch it go. */
const SENDING_MS = 2000;

export function MessageView({ id, isReadOnly }: { id: string; isReadOnly: boolean }) {
  return (
    <>
      <p className="crumbs">
        <Link href="/messages">Messages</Link>
      </p>
      {id === "new" && !isReadOnly ? <NewMessage /> : <OneMessage id={id} isReadOnly={isReadOnly} />}
    </>
  );
}

function NewMessage() {
  const kind: MessageKind =
    new URLSearchParams(useView().query).get("kind") === "invitation" ? "invitation" : "announcement";
  const settings = useMessageSettings();
  return (
    <>
      <title>{`New ${kind}`}</title>
      <h1>New {kind}</h1>
      <Loaded query={settings}>{(found) => <Editor key={kind} kind={kind} saved={firstDraft(kind, found)} />}</Loaded>
    </>
  );
}

function firstDraft(kind: MessageKind, { invitation }: MessageSettings): DraftFields {
  const text = kind === "invitation" ? invitation : null;
  return { subject: text?.subject ?? "", body: text?.body ?? "", audience: {}, pace: null };
}

function OneMessage({ id, isReadOnly }: { id: string; isReadOnly: boolean }) {
  const message = useQuery({
    queryKey: ["message", id],
    queryFn: ({ signal }) => get<Message>(`/api/messages/${id}`, signal),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.state === "sending" ? SENDING_MS : REFETCH_INTERVAL_MS),
  });
  if (!message.data) {
    return (
      <>
        <title>Message</title>
        <h1>Message {id}</h1>
        <Loaded query={message}>{() => null}</Loaded>
      </>
    );
  }
  const found = message.data;
  return (
    <>
      <title>{found.subject}</title>
      <div className="heading">
        <h1>
          <bdi>{found.subject}</bdi>
        </h1>
        <p>
          <span className={`status ${STATES[found.state].tone}`}>{STATES[found.state].name}</span>
          <span className="quiet">{KINDS[found.kind]}</span>
        </p>
      </div>
      {message.isRefetchError && <RefetchFailed reason={message.error} onRetry={() => message.refetch()} />}
      {found.state === "draft" && !isReadOnly ? (
        <Editor key={id} kind={found.kind} saved={draftOf(found)} message={found} />
      ) : (
        <Results message={found} isReadOnly={isReadOnly} />
      )}
    </>
  );
}
