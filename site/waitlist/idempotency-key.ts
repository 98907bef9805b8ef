/** Returns the same key for as long as the content stays the same, so that the server recognizes a retry. */
export function createIdempotencyKeys(): (content: unknown) => string {
  let last = "";
  let key = "";
  return (content) => {
    const next = JSON.stringify(content);
    if (next !== last) key = newIdempotencyKey();
    last = next;
    return key;
  };
}

/** Not randomUUID, which is missing on plain HTTP. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
