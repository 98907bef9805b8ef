import { brand } from "./brand.ts";

interface LegalText {
  id: string;
  title: string;
  /** May contain {mail}, our address as a link, and {membership}, a link to the page where people get their link. */
  paragraphs: readonly { lead?: string; text: string }[];
}

/** Retention in days, as the privacy text promises and `waitlist purge` enforces. */
export const RETENTION = {
  /** Unconfirmed sign-ups, after our last mail. */
  unconfirmed: 90,
  /** Sign-ups that filled the honeypot. */
  quarantine: 30,
  /** Deleted data in backups, at most. */
  backups: 30,
  /** Webhook events, with the pseudonyms of erased people. */
  webhooks: 30,
  /** Counts of page views, so that a month can be compared with the same month of the year before. */
  views: 400,
};

/** Who gets names and addresses by webhook, like "HubSpot, which keeps our contacts for us". Empty if nobody does. */
export const SHARED_WITH: string = "";

/** Short and true: how this page uses the data that people enter. */
export const legalTexts: readonly LegalText[] = [
  {
    id: "privacy",
    title: "Privacy",
    paragraphs: [
      {
        lead: "What we keep, and why.",
        text: "The name, email address, company and answers you give us, here or elsewhere (and where), whether you asked for news or used your invitation, and the campaign or member whose link brought you here. We use them to run this waitlist and write to you about it, because you asked us to. News needs your consent, which you can withdraw at any time.",
      },
      {
        lead: "Who is responsible.",
        text: `${brand.name}, ${brand.postalAddress}. Our email provider delivers our mail and tells us if it comes back or is reported as spam. ${SHARED_WITH && `We share your name, email address, company and answers with ${SHARED_WITH}. `}We share your data with no one else.`,
      },
      {
        lead: "How long.",
        text: `Until a year after launch. If we email you to confirm your address and you don’t within ${RETENTION.unconfirmed} days, we delete your sign-up. Sign-ups that look automated are set aside and deleted after ${RETENTION.quarantine} days. Backups hold what we delete for up to ${RETENTION.backups} more days; for that long we keep a keyed hash of your address, so that a restored backup can’t bring you back. We count page views, not people, for ${RETENTION.views} days.`,
      },
      {
        lead: "Your rights.",
        text: "See, correct, download or erase your data yourself ({membership}), or write to {mail}. You can also complain to your data protection authority.",
      },
    ],
  },
  {
    id: "terms",
    title: "Terms",
    paragraphs: [
      {
        text: "Joining is free and commits neither of us to anything. A place on the list doesn’t guarantee a date or a feature. The dashboard on this page shows sample data.",
      },
    ],
  },
  {
    id: "cookies",
    title: "Cookies",
    paragraphs: [
      {
        text: `None. ${brand.name}’s page sets no cookies, stores nothing in your browser and loads nothing from third parties.`,
      },
    ],
  },
];
