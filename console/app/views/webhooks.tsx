import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Ago } from "#console/app/ui/ago.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import { Copyable } from "#console/app/ui/copyable.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Hook, HookAttempt } from "#console/contract/operators.ts";

const STATES = { active: "good", failing: "bad", paused: "quiet", disabled: "bad", gone: "bad" };
const SENDS = {
  pseudonyms: "pseudonyms only",
  contact: "names, addresses and companies",
  digest: "numbers, for Slack",
};
const CHANGES = {
  test: ["Test", "It gets the event hook.test."],
  pause: ["Pause", "Events wait for up to 30 days."],
  resume: ["Resume", "Events that wait are sent now."],
  rotate: ["Replace secret", "For a day, requests carry the signatures of both secrets."],
  remove: ["Remove", "Nothing is sent any more, and the secret is deleted."],
} as const;
type Change = keyof typeof CHANGES;
/** Empty for a new webhook. */
type Asked = { change?: Change; hook?: Hook };

export function Webhooks() {
  const [asked, setAsked] = useState<Asked>();
  const [secret, setSecret] = useState<string>();
  const hooks = useApi<Hook[]>("/api/hooks", LIVE);
  return (
    <>
      <title>Webhooks</title>
      <div className="heading">
        <h1>Webhooks</h1>
        <p className="actions">
          <button type="button" onClick={() => setAsked({})}>
            Add webhook…
          </button>
        </p>
      </div>
      <p className="quiet lead">Tell your product or CRM when people confirm, leave, are invited or are erased.</p>
      <Loaded query={hooks} empty="No webhooks yet.">
        {(all) => (
          <ul className="hooks">
            {all.map((hook) => (
              <HookCard key={hook.id} hook={hook} onAsk={setAsked} />
            ))}
          </ul>
        )}
      </Loaded>
      {asked && <HookDialog asked={asked} onSecret={setSecret} onClose={() => setAsked(undefined)} />}
      {secret && (
        <ConfirmDialog title="Copy the secret" onClose={() => setSecret(undefined)}>
          <p>Your receiver verifies requests with it. It can't be shown again.</p>
          <Copyable label="Signing key" text={secret} rows={2} />
        </ConfirmDialog>
      )}
    </>
  );
}

function HookCard({ hook, onAsk }: { hook: Hook; onAsk: (asked: Asked) => void }) {
  const { data: attempts } = useApi<HookAttempt[]>(`/api/hooks/${hook.id}/deliveries`, LIVE);
  const state = hook.state === "active" && hook.failing_since ? "failing" : hook.state;
  const pause = hook.state === "active" ? "pause" : "resume";
  // Slack verifies nothing.
  const changes: Change[] = ["test", pause, ...(hook.sends === "digest" ? [] : ["rotate" as const]), "remove"];
  return (
    <li className="card">
      <header>
        <h2>{hook.host}</h2>
        <p className={`status ${STATES[state]}`}>{state}</p>
      </header>
      <p className="quiet">
        Webhook {hook.id} gets {SENDS[hook.sends]}.{attempts?.length === 0 && " Nothing has been sent yet."}
      </p>
      <table>
        <tbody>
          {attempts?.map(({ webhook_id, attempt, type, status, outcome, at }) => (
            <tr key={`${webhook_id} ${attempt} ${at}`}>
              <th scope="row">{type}</th>
              <td className={outcome === "delivered" ? "" : "bad-text"}>{`${status} ${outcome}`}</td>
              <td>
                <Ago at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="actions">
        {changes.map((change) => (
          <button key={change} type="button" onClick={() => onAsk({ change, hook })}>
            {CHANGES[change][0]}…<span className="visually-hidden"> webhook {hook.id}</span>
          </button>
        ))}
      </p>
    </li>
  );
}

interface HookDialogProps {
  asked: Asked;
  onSecret: (secret: string | undefined) => void;
  onClose: () => void;
}

function HookDialog({ asked: { change, hook }, onSecret, onClose }: HookDialogProps) {
  const [typed, setTyped] = useState({ url: "", sends: "pseudonyms" });
  const [action, text] = change ? CHANGES[change] : ["Add"];
  return (
    <ChangeDialog
      title={hook ? `${action}: ${hook.host}` : "Add a webhook"}
      action={action}
      isDestructive={change === "remove"}
      change={() => post<{ secret?: string }>(hook ? `/api/hooks/${hook.id}/${change}` : "/api/hooks", typed)}
      onDone={(done) => onSecret(done.secret)}
      onClose={onClose}
    >
      {text && <p>{text}</p>}
      {!hook && (
        <>
          <label className="field">
            URL
            <input type="url" required onChange={({ target }) => setTyped({ ...typed, url: target.value })} />
          </label>
          <label className="field">
            It gets
            <select onChange={({ target }) => setTyped({ ...typed, sends: target.value })}>
              {Object.entries(SENDS).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
    </ChangeDialog>
  );
}
