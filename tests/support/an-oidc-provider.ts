import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";

export const CLIENT = { id: "console", secret: "a client secret of 32 characters or more" };

/** How an ID token differs from a right one. */
export interface Fault {
  claims?: JWTPayload;
  /** Signed with a key that isn't the provider's. */
  isForged?: boolean;
  alg?: "RS256" | "HS256" | "none";
}

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>;

/** A provider without a login page: `authorize` returns where it would redirect the browser. */
export async function startOidcProvider() {
  const [own, foreign] = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
  const codes = new Map<string, { challenge: string; claims: JWTPayload; fault: Fault }>();
  const state = { isDown: false };

  async function sign(claims: JWTPayload, { alg = "RS256", isForged }: Fault): Promise<string> {
    const token = { iss: issuer, aud: CLIENT.id, iat: Date.now() / 1000, exp: Date.now() / 1000 + 300, ...claims };
    if (alg === "none") return new UnsecuredJWT(token).encode();
    const key = alg === "HS256" ? new TextEncoder().encode(CLIENT.secret) : (isForged ? foreign : own).privateKey;
    return new SignJWT(token).setProtectedHeader({ alg, kid: "1" }).sign(key);
  }

  async function exchange(body: URLSearchParams, authorization: string): Promise<[status: number, body: object]> {
    const basic = [CLIENT.id, CLIENT.secret].map((part) => new URLSearchParams({ part }).toString().slice(5)).join(":");
    if (authorization !== `Basic ${btoa(basic)}`) return [401, { error: "invalid_client" }];
    const code = codes.get(body.get("code") ?? "");
    codes.delete(body.get("code") ?? "");
    const hashed = createHash("sha256").update(body.get("code_verifier") ?? "");
    if (code?.challenge !== hashed.digest("base64url")) return [400, { error: "invalid_grant" }];
    const id_token = await sign({ ...code.claims, ...code.fault.claims }, code.fault);
    return [200, { access_token: "unused", token_type: "Bearer", id_token }];
  }

  const server = createServer(async (request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (state.isDown) return send(503, {});
    if (request.url === "/jwks") {
      return send(200, { keys: [{ ...(await exportJWK(own.publicKey)), kid: "1", alg: "RS256", use: "sig" }] });
    }
    if (request.url === "/token") {
      const body = new URLSearchParams(await text(request));
      return send(...(await exchange(body, request.headers.authorization ?? "")));
    }
    const endpoint = (name: string) => `${issuer}/${name}`;
    return send(200, {
      issuer,
      authorization_endpoint: endpoint("authorize"),
      token_endpoint: endpoint("token"),
      jwks_uri: endpoint("jwks"),
      end_session_endpoint: endpoint("end-session"),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    state,
    expireCodes: () => codes.clear(),
    authorize(url: string, claims: JWTPayload, fault: Fault = {}): URL {
      const asked = new URL(url).searchParams;
      const code = randomUUID();
      codes.set(code, {
        challenge: asked.get("code_challenge") ?? "",
        claims: { nonce: asked.get("nonce"), ...claims },
        fault,
      });
      return new URL(`${asked.get("redirect_uri")}?${new URLSearchParams({ code, state: asked.get("state") ?? "" })}`);
    },
    stop: () => server.close(),
  };
}
