import { brand } from "./brand.ts";

interface LegalText {
  id: string;
  title: string;
  text: string;
  /** Whether a link to our mail address follows the text. */
  endsWithMail?: true;
  /** A sentence that follows, ending in a link to the page that emails people their link. */
  selfService?: { text: string; link: string };
}

/** What the privacy text promises, in days, and `waitlist purge` does. */
export const RETENTION = {
  /** Unconfirmed sign-ups, after our last mail. */
  unconfirmed: 90,
  /** Sign-ups that filled the honeypot. */
  quarantine: 30,
  /** Deleted data in backups, at most. */
  backups: 30,
};

/** Short and true: what this page does with the data people enter. */
export const legalTexts: readonly LegalText[] = [
  {
    id: "privacy",
    title: "Privacy",
    text: `We keep the name, email address and company you enter, whether you asked for news, and the campaign named in the link that brought you here, if any. We use them to run this waitlist and to write to you about it, and share them with no one. If we email you to confirm your address and you don't within ${RETENTION.unconfirmed} days, we delete your sign-up. Sign-ups that look automated are set aside and deleted after ${RETENTION.quarantine} days. Backups hold what we delete for up to ${RETENTION.backups} more days. When you ask us to delete your data, we keep a keyed hash of your address for that long, so that a restored backup can't bring you back. We delete everything a year after launch, or whenever you ask:`,
    endsWithMail: true,
    selfService: { text: "You can also see, correct or erase them yourself:", link: "Email me my link" },
  },
  {
    id: "terms",
    title: "Terms",
    text: "Joining the waitlist is free and commits neither of us to anything. A place on the list doesn't guarantee a date or a feature. The dashboard on this page shows sample data.",
  },
  {
    id: "cookies",
    title: "Cookies",
    text: `None. ${brand.name}'s page sets no cookies, stores nothing in your browser and loads nothing from third parties.`,
  },
];
