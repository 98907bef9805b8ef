import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { navigate, useView } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { useMessageSettings } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import type { DraftFields, Message, MessageKind } from "#console/contract/messages.ts";
import { AudienceForm } from "./audience-form.tsx";
import { LiveSplit, SavedSplit } from "./audience-split.tsx";
import { MailNotice } from "./mail-notice.tsx";
import { KINDS } from "./message-status.ts";
import { PaceField } from "./pace-field.tsx";
import { DraftPreview } from "./preview.tsx";
import { SendDialog } from "./send-dialog.tsx";
import { TestDialog } from "./test-dialog.tsx";
import { TextFields } from "./text-fields.tsx";
import { useDraft } from "./use-draft.ts";

interface EditorProps {
  kind: MessageKind;
  /** The stored draft, or a new draft's initial values. */
  saved: DraftFields;
  message?: Message;
}

export function Editor({ kind, saved, message }: EditorProps) {
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const { query } = useView();
  const settings = useMessageSettings();
  const [dialog, setDialog] = useState<"test" | "discard">();
  const close = () => setDialog(undefined);
  const draft = useDraft(message?.id ?? `new ${kind} ${new URLSearchParams(saved.audience)}`, saved);
  const { fields, mine, isChanged, isConflicting, change } = draft;
  const { subject, body, audience, pace, delay } = fields;
  const save = useMutation({
    mutationFn: (sent: DraftFields) =>
      post<Message>(message ? `/api/messages/${message.id}` : "/api/messages", { kind, ...sent }),
    onSuccess: async (stored, sent) => {
      // Cancels reads from before the save, because their responses would look like a colleague's change.
      const path = `/api/messages/${stored.id}`;
      await client.cancelQueries({ queryKey: [path] });
      draft.wasSaved(sent, stored);
      client.setQueryData([path], stored);
      client.invalidateQueries({ queryKey: [`${path}/audience`] });
      client.invalidateQueries({ queryKey: ["/api/messages"] });
    },
    // The save may have failed because a colleague saved first.
    onError: () => message && client.invalidateQueries({ queryKey: [`/api/messages/${message.id}`] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(fields, { onSuccess: ({ id }) => !message && navigate(`/messages/${id}`, { replace: true }) });
  };
  const review = async () => {
    if (!form.current?.reportValidity()) return;
    const stored = message && !isChanged ? message : await save.mutateAsync(fields).catch(() => undefined);
    if (stored) navigate(`/messages/${stored.id}?send`, { replace: !message });
  };
  const isBlocked = save.isPending || isConflicting;
  const isMailed = settings.data?.isMailed ?? false;
  const isFixed = message !== undefined && (message.isPrepared || message.progress.pending > 0);
  const isBulk = kind !== "confirmation" && kind !== "reminder";
  const isSending = isBulk && new URLSearchParams(query).has("send") && message !== undefined && !isChanged;
  return (
    <>
      <MailNotice kind={kind} />
      <div className="editor">
        <form ref={form} className="draft" aria-label={`${KINDS[kind]} draft`} onSubmit={submit}>
          <div className="toolbar">
            <button type="submit" disabled={isBlocked || (message !== undefined && !isChanged)}>
              {message ? "Save" : "Save draft"}
            </button>
            {settings.data?.canTest && (
              <Button onClick={() => form.current?.reportValidity() && setDialog("test")}>Send a test…</Button>
            )}
            {isBulk ? (
              <Button className="primary" disabled={!isMailed || isBlocked} onClick={review}>
                Review and send…
              </Button>
            ) : (
              <Button onClick={() => settings.data && change(settings.data[kind])}>Original text</Button>
            )}
            {isChanged && message && <Button onClick={draft.discard}>Undo changes</Button>}
            {message && isBulk && (
              <Button className="danger" onClick={() => setDialog("discard")}>
                Discard…
              </Button>
            )}
            <span className="quiet" role="status">
              {isChanged ? "Not saved yet" : message && "Saved"}
            </span>
          </div>
          {save.error && save.variables.version === saved.version && <p role="alert">{save.error.message}</p>}
          {(isConflicting || mine) && (
            <div className="toolbar">
              <p role="alert">
                {mine
                  ? "This is their version."
                  : `Someone else changed the ${draft.changedElsewhere.join(" and ")}. Your edits aren't saved.`}
              </p>
              <Button onClick={draft.swap}>{mine ? "Back to mine" : "Show their version"}</Button>
            </div>
          )}
          <TextFields kind={kind} subject={subject} body={body} onChange={change} />
          {isBulk && (
            <>
              <AudienceForm kind={kind} audience={audience} isFixed={isFixed} onChange={change} />
              {isFixed ? <SavedSplit id={message.id} /> : <LiveSplit kind={kind} audience={audience} />}
            </>
          )}
          {kind !== "confirmation" && <PaceField pace={pace} delay={delay} onChange={change} />}
        </form>
        <DraftPreview kind={kind} subject={subject} body={body} />
      </div>
      {dialog === "test" && <TestDialog text={{ id: message?.id, kind, subject, body }} onClose={close} />}
      {dialog === "discard" && message && (
        <ChangeDialog
          title="Discard this draft?"
          action="Discard"
          isDestructive
          change={() => post(`/api/messages/${message.id}/cancel`)}
          onDone={() => navigate("/messages")}
          onClose={close}
        >
          <p>You won't be able to send or edit it. It stays in the list of messages.</p>
        </ChangeDialog>
      )}
      {isSending && (
        <SendDialog message={message} onClose={() => navigate(`/messages/${message.id}`, { replace: true })} />
      )}
    </>
  );
}
