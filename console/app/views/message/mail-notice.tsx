import { useMessageSettings } from "#console/app/http/use-api.ts";
import type { MessageKind } from "#console/contract/messages.ts";

export function MailNotice({ kind }: { kind?: MessageKind }) {
  const { data } = useMessageSettings();
  if (!data) return null;
  return (
    <>
      {!data.isMailed && (
        <p className="callout" role="note">
          <strong>Mail is off.</strong> You can write drafts, but not send them. To turn it on, an engineer starts the
          servers with <code>SMTP_URL</code>.
        </p>
      )}
      {kind === "invitation" && !data.invitation && (
        <p className="callout" role="note">
          <strong>Invitations have no link yet.</strong> <code>{"{{inviteUrl}}"}</code> needs the servers'{" "}
          <code>INVITE_URL</code> and <code>INVITE_KEYS</code>, which an engineer sets (docs/invitations.md). Without
          them, tell people in your own words how to get in.
        </p>
      )}
    </>
  );
}
