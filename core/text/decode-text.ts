/** Recognizes UTF-16 by its byte order mark. Invalid UTF-8 means Latin-1, as in old spreadsheets. Runs in browsers. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = { "255,254": "utf-16le", "254,255": "utf-16be" }[bytes.subarray(0, 2).join()];
  const text = new TextDecoder(encoding).decode(bytes);
  return encoding || !text.includes("\uFFFD") ? text : new TextDecoder("windows-1252").decode(bytes);
}
