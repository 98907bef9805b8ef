export { REFETCH_INTERVAL_MS as whileActive } from "./idle.ts";
