const MAX_CONNECTIONS = 10_000;
/** For the database, Redis, the logs and Node itself, which ends the process where it can't open a file of its own. */
const OTHER_FILES = 100;

/** Past this many the next connection is closed at once: what we plan for, or what the system lets us open. */
export function maxConnections(): number {
  // It would look up the names of all that is connected.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const files = Number(userLimits?.open_files?.soft ?? Number.NaN);
  return Number.isNaN(files) ? MAX_CONNECTIONS : Math.max(1, Math.min(MAX_CONNECTIONS, files - OTHER_FILES));
}
