import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";

export const CLIENT = { id: "console", secret: "a client secret of 32 characters or more" };

/** How an ID token differs from a valid one. */
export interface Fault {
  claims?: JWTPayload;
  isForged?: boolean;
  alg?: "RS256" | "HS256" | "none";
}

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>;

/** A provider without a login page: `authorize` returns where it would redirect the browser. */
export async function startOidcProvider() {
  const [own, foreign] = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
  const codes = new Map<string, { challenge: string | null; claims: JWTPayload; fault: Fault }>();
  const state = { isDown: false, isSilent: false };

  async function sign(claims: JWTPayload, { alg = "RS256", isForged }: Fault): Promise<string> {
    const now = Date.now() / 1000;
    const token = { iss: issuer, aud: CLIENT.id, iat: now, exp: now + 300, ...claims };
    if (alg === "none") return new UnsecuredJWT(token).encode();
    const key = alg === "HS256" ? new TextEncoder().encode(CLIENT.secret) : (isForged ? foreign : own).privateKey;
    return new SignJWT(token).setProtectedHeader({ alg, kid: "1" }).sign(key);
  }

  async function exchange(body: URLSearchParams, authorization = ""): Promise<[status: number, body: object]> {
    const basic = btoa(`${CLIENT.id}:${CLIENT.secret.replaceAll(" ", "+")}`);
    if (authorization !== `Basic ${basic}`) return [401, { error: "invalid_client" }];
    const name = body.get("code") ?? "";
    const code = codes.get(name);
    codes.delete(name);
    const hashed = createHash("sha256").update(body.get("code_verifier") ?? "");
    if (code?.challenge !== hashed.digest("base64url")) return [400, { error: "invalid_grant" }];
    const id_token = await sign({ ...code.claims, ...code.fault.claims }, code.fault);
    return [200, { access_token: "unused", token_type: "Bearer", id_token }];
  }

  const server = createServer(async (request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (state.isSilent) return undefined;
    if (state.isDown) return send(503, {});
    if (request.url === "/jwks") return send(200, { keys: [{ ...(await exportJWK(own.publicKey)), kid: "1" }] });
    if (request.url === "/token") {
      return send(...(await exchange(new URLSearchParams(await text(request)), request.headers.authorization)));
    }
    const names = { authorization_endpoint: "authorize", token_endpoint: "token", jwks_uri: "jwks" };
    const endpoints = Object.entries({ ...names, end_session_endpoint: "end-session" });
    return send(200, { issuer, ...Object.fromEntries(endpoints.map(([name, path]) => [name, `${issuer}/${path}`])) });
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
        challenge: asked.get("code_challenge"),
        claims: { nonce: asked.get("nonce"), ...claims },
        fault,
      });
      return new URL(`${asked.get("redirect_uri")}?${new URLSearchParams({ code, state: asked.get("state") ?? "" })}`);
    },
    stop: () => server.close(),
  };
}
