const MAX_CONNECTIONS = 10_000;
/** File descriptors for the database, Redis, logs and Node itself, which aborts when it can't get one. */
const RESERVED_FILES = 100;

/** Connections beyond this are closed immediately: our own maximum, or fewer where the file limit is lower. */
export function maxConnections(): number {
  // Otherwise the report does a reverse DNS lookup for every connection.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const files = Number(userLimits?.open_files?.soft ?? Number.NaN);
  return Number.isNaN(files) ? MAX_CONNECTIONS : Math.max(1, Math.min(MAX_CONNECTIONS, files - RESERVED_FILES));
}
