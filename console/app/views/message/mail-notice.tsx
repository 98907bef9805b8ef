import { useMessageSettings } from "#console/app/http/use-api.ts";
import type { MessageKind } from "#console/contract/messages.ts";

export function MailNotice({ kind }: { kind?: MessageKind }) {
  const { data } = useMessageSettings();
  if (!data) return null;
  return (
    <>
      {!data.isMailed && (
        <p className="callout" role="note">
          <strong>Mail is off here.</strong> You can write drafts, but not send them. To turn it on, an engineer starts
          the console with the servers' <code>SMTP_URL</code>, <code>MAIL_FROM</code>, <code>SECRET</code> and{" "}
          <code>PUBLIC_ORIGIN</code>, and their <code>DKIM_…</code> settings if they sign mail.
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
