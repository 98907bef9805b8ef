/** The brand, as shown by the page, the mail, the member page, the console and the command line. */
export const brand = {
  name: "Farwatch",
  address: "https://farwatch.example",
  /** The sender of mail, unless MAIL_FROM overrides it, and the contact address. */
  mail: "hello@farwatch.example",
  /** In the privacy text, and in mail unless MAIL_POSTAL_ADDRESS overrides it. No real mail is sent with this example. */
  postalAddress: "100 Example Street, Example City",
  /** In security.txt: where to report vulnerabilities, and what reporters can expect. */
  security: {
    mail: "security@farwatch.example",
    policy: [
      "Tell us what you did and what happened. Please don't read or change anyone's data but your own.",
      "We reply within three business days. Once it is fixed, we'll credit you if you like.",
    ],
  },
} as const;
