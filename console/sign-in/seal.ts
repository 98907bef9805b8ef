import { hkdfSync } from "node:crypto";
import { EncryptJWT, type JWTPayload, jwtDecrypt } from "jose";

const HEADER = { alg: "dir", enc: "A256GCM" };

/** Encrypts and authenticates data in cookies and the database, with a key derived from the client's secret. */
export function createSeal(clientSecret: string) {
  const key = new Uint8Array(hkdfSync("sha256", clientSecret, "", "console sign-in", 32));
  return {
    seal: (content: JWTPayload, lifetime: string) =>
      new EncryptJWT(content).setProtectedHeader(HEADER).setExpirationTime(lifetime).encrypt(key),
    /** Empty if the data was forged or has expired. */
    open: async (sealed = ""): Promise<JWTPayload> =>
      (await jwtDecrypt(sealed, key).catch(() => undefined))?.payload ?? {},
  };
}
