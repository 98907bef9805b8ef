/** Waves, as the console's page and its API exchange them. */
import type { WaveResults } from "#core/invitations/wave-results.ts";
import type { Json } from "./json.ts";

export type Wave = Json<WaveResults>;

export interface Uninvited {
  uninvited: number;
}
