/** The schema of pg-boss's own tables. */
export const JOBS_SCHEMA = "jobs";

/** Two queues, so that a confirmation never waits behind a message that has used up its share of the minute. */
export const QUEUES = { confirmations: "confirmations", bulk: "messages" } as const;
