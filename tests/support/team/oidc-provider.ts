/** A company's sign-in as a separate program, behind TLS: npm's certified oidc-provider. Any password works. */
// @ts-expect-error: it has no types
import Provider from "oidc-provider";

const { ISSUER, CONSOLE_ORIGIN, CLIENT_ID, CLIENT_SECRET, PORT } = process.env;

const provider = new Provider(ISSUER, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [`${CONSOLE_ORIGIN}/sign-in/callback`],
      post_logout_redirect_uris: [`${CONSOLE_ORIGIN}/signed-out`],
    },
  ],
  claims: { email: ["email", "email_verified"] },
  cookies: { keys: ["a key of the provider"] },
  /** Accounts whose names differ only in a final number have the same address. */
  findAccount: (_context: unknown, id: string) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      email: `${id.replace(/\d+$/, "")}@company.test`,
      email_verified: !id.startsWith("unverified"),
    }),
  }),
});
provider.proxy = true;
provider.listen(Number(PORT), "127.0.0.1", () => console.log(`Server listening at http://127.0.0.1:${PORT}`));
