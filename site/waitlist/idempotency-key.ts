/** Identifies a filled-in form, so that the server recognizes a retry. Not randomUUID: it is missing on plain HTTP. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
