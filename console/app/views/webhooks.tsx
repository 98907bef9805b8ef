import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { SecretDialog } from "#console/app/ui/secret-dialog.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import type { Webhook, WebhookAttempt } from "#console/contract/operators.ts";

const STATES = { active: "good", failing: "bad", paused: "quiet", disabled: "bad", gone: "bad" };
const SENDS = {
  pseudonyms: "IDs without names or addresses",
  contact: "names, addresses, companies and answers",
  digest: "numbers, for Slack",
};
const CHANGES = {
  test: ["Test", "It gets the event webhook.test."],
  pause: ["Pause", "Events wait for up to 30 days."],
  resume: ["Resume", "Events that wait are sent now."],
  rotate: ["Replace secret", "For a day, requests carry the old secret's signature too."],
  remove: ["Remove", "Nothing is sent any more, and the secret is deleted."],
} as const;
type Change = keyof typeof CHANGES;
/** Empty for a new webhook. */
type Asked = { change?: Change; webhook?: Webhook };

export function Webhooks() {
  const [asked, setAsked] = useState<Asked>();
  const [secret, setSecret] = useState<string>();
  const webhooks = useApi<Webhook[]>("/api/webhooks", LIVE);
  return (
    <>
      <title>Webhooks</title>
      <div className="heading">
        <h1>Webhooks</h1>
        <p className="actions">
          <Button onClick={() => setAsked({})}>Add webhook…</Button>
        </p>
      </div>
      <p className="quiet lead">
        Tell your product or CRM when people confirm, unsubscribe, are invited, accept or are erased.
      </p>
      <Loaded query={webhooks} empty="No webhooks yet.">
        {(all) => (
          <ul className="webhooks">
            {all.map((webhook) => (
              <WebhookCard key={webhook.id} webhook={webhook} onAsk={setAsked} />
            ))}
          </ul>
        )}
      </Loaded>
      {asked && <WebhookDialog asked={asked} onSecret={setSecret} onClose={() => setAsked(undefined)} />}
      {secret && (
        <SecretDialog
          secret={secret}
          use="Your receiver verifies requests with it."
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

function WebhookCard({ webhook, onAsk }: { webhook: Webhook; onAsk: (asked: Asked) => void }) {
  const { data: attempts } = useApi<WebhookAttempt[]>(`/api/webhooks/${webhook.id}/deliveries`, LIVE);
  const state = webhook.state === "active" && webhook.failing_since ? "failing" : webhook.state;
  const pause = webhook.state === "active" ? "pause" : "resume";
  // A digest has no secret to rotate, because Slack verifies no signatures.
  const changes: Change[] = ["test", pause, ...(webhook.sends === "digest" ? [] : ["rotate" as const]), "remove"];
  return (
    <li className="card">
      <header>
        <h2>{webhook.host}</h2>
        <p className={`status ${STATES[state]}`}>{state}</p>
      </header>
      <p className="quiet">
        Webhook {webhook.id} gets {SENDS[webhook.sends]}.{attempts?.length === 0 && " Nothing has been sent yet."}
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
          <Button key={change} onClick={() => onAsk({ change, webhook })}>
            {CHANGES[change][0]}…<span className="visually-hidden"> webhook {webhook.id}</span>
          </Button>
        ))}
      </p>
    </li>
  );
}

interface WebhookDialogProps {
  asked: Asked;
  onSecret: (secret: string | undefined) => void;
  onClose: () => void;
}

function WebhookDialog({ asked: { change, webhook }, onSecret, onClose }: WebhookDialogProps) {
  const [typed, setTyped] = useState({ url: "", sends: "pseudonyms" });
  const [action, text] = change ? CHANGES[change] : ["Add"];
  return (
    <ChangeDialog
      title={webhook ? `${action}: ${webhook.host}` : "Add a webhook"}
      action={action}
      isDestructive={change === "remove"}
      change={() =>
        post<{ secret?: string }>(webhook ? `/api/webhooks/${webhook.id}/${change}` : "/api/webhooks", typed)
      }
      onDone={(done) => onSecret(done.secret)}
      onClose={onClose}
    >
      {text && <p>{text}</p>}
      {!webhook && (
        <>
          <label className="field">
            URL
            <input type="url" required onChange={({ target }) => setTyped({ ...typed, url: target.value })} />
          </label>
          <label className="field">
            Payload
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
