/** The codes of the ASCII characters that the export writes or looks for. */
export const ASCII = {
  tab: 0x09,
  lineFeed: 0x0a,
  space: 0x20,
  quote: 0x22,
  apostrophe: 0x27,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  colon: 0x3a,
  semicolon: 0x3b,
  equals: 0x3d,
  at: 0x40,
  t: 0x54,
  backslash: 0x5c,
};
