import { brand } from "#brand/brand.ts";
import type { InvitationConfig } from "#core/config/config.ts";
import { pluralize } from "#core/text/format.ts";

export const INVITATION_SUBJECT = `You're invited to ${brand.name}`;

/** In Markdown. The link works for `lifetimeDays` after the mail is sent. */
export function defaultInvitation({ lifetimeDays }: Pick<InvitationConfig, "lifetimeDays">) {
  const body = `# You're invited

Hi {{firstName}},

It's your turn, and thanks for waiting. Create your ${brand.name} account:

[**Accept invitation**]({{inviteUrl}})

Your invitation is just for you, and works for ${pluralize(lifetimeDays, "day")}.
`;
  return { subject: INVITATION_SUBJECT, body };
}
