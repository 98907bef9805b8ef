/** Who we are. The page, the mail, the member page, the report and the command line all take it from here. */
export const brand = {
  name: "Farwatch",
  address: "https://farwatch.example",
  /** Where mail comes from, unless MAIL_FROM says otherwise, and where people write to. */
  mail: "hello@farwatch.example",
  tagline:
    "Cutting-edge cybersecurity solutions that protect a business from evolving threats with AI-powered defense mechanisms.",
} as const;
