/** Who we are, in one place: the page, the mail and the reports all take it from here. */
export const brand = {
  name: "Farwatch",
  address: "https://farwatch.example",
  mail: "hello@farwatch.example",
  tagline:
    "Cutting-edge cybersecurity solutions that protect a business from evolving threats with AI-powered defense mechanisms.",
  ground: "#05060a",
} as const;
