/** The schema of pg-boss's own tables. */
export const JOBS_SCHEMA = "jobs";

/** Two queues, so that a confirmation never waits behind a message that has used up its share of the minute. */
export const QUEUES = { confirmations: "confirmations", bulk: "messages" } as const;

/** The queues of version 1.0.0, whose jobs are `{ signUpId, number }`. */
export const OLD_QUEUES = { pending: "confirmation", failed: "confirmation-dead" } as const;
