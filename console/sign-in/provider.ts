import * as oidc from "openid-client";
import type { TeamConfig } from "#core/config/config.ts";
import { isEntra } from "#core/config/setting-rules.ts";

const TIMEOUT_SECONDS = 5;
const CLOCK_TOLERANCE_SECONDS = 30;
/** Short, because nobody should be sent to a provider that is down. */
const CACHE_MS = 60_000;

/** What the callback must match. */
export type PendingLogin = Record<"state" | "nonce" | "verifier", string>;

/** The company's OpenID Connect provider. Our own address is from the settings, never from a request. */
export function createProvider({ issuer, clientId, clientSecret, origin }: TeamConfig) {
  const callback = `${origin}/sign-in/callback`;

  async function discover(): Promise<oidc.Configuration> {
    // The library trusts TLS alone unless told to check the ID token's signature.
    const execute = [oidc.enableNonRepudiationChecks];
    if (issuer.startsWith("http:")) execute.push(oidc.allowInsecureRequests);
    const metadata = { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const options = { timeout: TIMEOUT_SECONDS, execute };
    const authentication = oidc.ClientSecretBasic(clientSecret);
    const found = await oidc.discovery(new URL(issuer), clientId, metadata, authentication, options);
    // For Microsoft, the library accepts metadata that names another issuer, even with a tenant placeholder.
    const named = found.serverMetadata().issuer;
    if (new URL(named).href !== new URL(issuer).href) throw new Error(`OIDC_ISSUER must be ${named}`);
    return found;
  }

  let discovered: Promise<oidc.Configuration>;
  let staleAt = 0;
  /** Discovers the provider on first use, so that the console starts during an outage, and later to notice outages. */
  const configure = () => {
    if (Date.now() > staleAt) {
      staleAt = Date.now() + CACHE_MS;
      discovered = discover().catch((reason) => {
        staleAt = 0;
        throw reason;
      });
    }
    return discovered;
  };

  return {
    async start() {
      const configuration = await configure();
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
      const code_challenge = await oidc.calculatePKCECodeChallenge(verifier);
      const scope = isEntra(issuer) ? "openid profile" : "openid email";
      const parameters = { redirect_uri: callback, scope, state, nonce, code_challenge, code_challenge_method: "S256" };
      const pending: PendingLogin = { state, nonce, verifier };
      return { url: oidc.buildAuthorizationUrl(configuration, parameters).href, pending };
    },

    async finish(query: string, { state, nonce, verifier }: PendingLogin) {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const configuration = await configure();
      const tokens = await oidc.authorizationCodeGrant(configuration, new URL(callback + query), checks);
      const [claims, idToken] = [tokens.claims() as oidc.IDToken, tokens.id_token];
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      if (claims.email_verified !== undefined || !hasUserInfo || isEntra(issuer)) return { claims, idToken };
      // The standard allows providers to put these claims only in UserInfo, as Okta does.
      const { email, email_verified } = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { claims: { ...claims, email, email_verified } as oidc.IDToken, idToken };
    },

    /** Where to sign out of the provider. Undefined if it has no such page, or is down. */
    async endSessionUrl(idToken: string): Promise<string | undefined> {
      const configuration = await configure().catch(() => undefined);
      if (!configuration?.serverMetadata().end_session_endpoint) return undefined;
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: `${origin}/signed-out` };
      return oidc.buildEndSessionUrl(configuration, parameters).href;
    },
  };
}

export function explainFailure(reason: unknown): "refused" | "expired" | "unavailable" {
  if (reason instanceof oidc.AuthorizationResponseError && reason.error === "access_denied") return "refused";
  return reason instanceof oidc.ResponseBodyError && reason.error === "invalid_grant" ? "expired" : "unavailable";
}
