import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Copyable } from "./copyable.tsx";

export function SecretDialog({ secret, use, onClose }: { secret: string; use: string; onClose: () => void }) {
  return (
    <ConfirmDialog title="Copy the secret" onClose={onClose}>
      <p>{use} It can't be shown again.</p>
      <Copyable label="Signing key" text={secret} rows={2} />
    </ConfirmDialog>
  );
}
