import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { SecretDialog } from "#console/app/ui/secret-dialog.tsx";

/** Makes a secret and shows it once. Asks first, because the product must switch to it within a day. */
export function AcceptanceSecret() {
  const [isAsked, setAsked] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <Button onClick={() => setAsked(true)}>Make secret…</Button>
      {isAsked && (
        <ChangeDialog
          title="Make a new secret?"
          action="Make secret"
          change={() => post<{ secret: string }>("/api/acceptance-secrets")}
          onDone={(made) => setSecret(made.secret)}
          onClose={() => setAsked(false)}
        >
          <p>
            Your product reports used invitations with it (docs/invitations.md). The current one works for another day.
          </p>
        </ChangeDialog>
      )}
      {secret && (
        <SecretDialog
          secret={secret}
          use="Your product signs with it when it reports a used invitation."
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}
