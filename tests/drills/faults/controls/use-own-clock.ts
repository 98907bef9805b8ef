/** Preloaded by a negative control: a server that takes joined_at from its own clock, as it was at the start. */
import { changeSource } from "./change-source.ts";

changeSource("core/sign-ups/write-batch.ts", [
  [", mail_due)", ", joined_at, mail_due)"],
  [", $3::boolean from", `, '${new Date().toISOString()}'::timestamptz, $3::boolean from`],
]);
