import { brand } from "./brand.ts";

interface LegalText {
  id: string;
  title: string;
  text: string;
  /** Whether a link to our mail address follows the text. */
  endsWithMail?: true;
}

/** Short and true: what this page does with the data people enter. */
export const legalTexts: readonly LegalText[] = [
  {
    id: "privacy",
    title: "Privacy",
    text: "We keep the name, the email address and the company you enter, whether you asked for news, and the name of the campaign that brought you, where the link you followed had one. We use them to run this waitlist and to write to you about it, and give them to nobody else. They stay until a year after the launch, or until you ask us to erase them:",
    endsWithMail: true,
  },
  {
    id: "terms",
    title: "Terms",
    text: "Joining the waitlist is free and commits neither of us to anything. A place on it is no promise of a date or of a feature. The figures in the dashboard above are a sample.",
  },
  {
    id: "cookies",
    title: "Cookies",
    text: `There are none. ${brand.name}'s page sets no cookie, stores nothing in your browser, and loads nothing from anyone else.`,
  },
];
