import { brand } from "#brand/brand.ts";
import { pluralize } from "#core/format.ts";

export const INVITATION_SUBJECT = `You're invited to ${brand.name}`;

/** Returns Markdown. The link works for `lifetimeDays` after the mail is sent. */
export function invitationBody(lifetimeDays: number): string {
  return `# You're invited

Hi {{firstName}},

It's your turn, and thanks for waiting. Create your ${brand.name} account:

[**Accept invitation**]({{inviteUrl}})

Your invitation is just for you, and works for ${pluralize(lifetimeDays, "day")}.
`;
}
