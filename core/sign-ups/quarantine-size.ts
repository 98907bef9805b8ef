import { formatNumber } from "#core/text/format.ts";

/**
 * At most 45 MB. A full quarantine drops its oldest entries instead of refusing new ones. Otherwise a flood would shut
 * out real people whose browser fills the honeypot, until an operator empties the quarantine.
 */
export const MAX_QUARANTINED = 10_000;

/** "12", or "10,000 (full; others were dropped)". */
export function formatQuarantined(entries: number): string {
  return entries < MAX_QUARANTINED ? formatNumber(entries) : `${formatNumber(entries)} (full; others were dropped)`;
}
