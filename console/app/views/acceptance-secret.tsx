import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import { Copyable } from "#console/app/ui/copyable.tsx";

/** Asks first, because the product must change to the new secret within a day. */
export function AcceptanceSecret({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  if (secret) {
    return (
      <ConfirmDialog title="Copy the secret" onClose={onClose}>
        <p>Your product signs with it when it reports a used invitation. It can't be shown again.</p>
        <Copyable label="Secret" text={secret} rows={2} />
      </ConfirmDialog>
    );
  }
  return (
    <ChangeDialog
      title="Make a new secret?"
      action="Make secret"
      change={() => post<{ secret: string }>("/api/acceptance-secrets")}
      onDone={(made) => setSecret(made.secret)}
      onClose={onClose}
    >
      <p>Your product reports used invitations with it (docs/invitations.md). The secret before it works for a day.</p>
    </ChangeDialog>
  );
}
