import type { Generated } from "kysely";

/** The counts of the console's overview, and what they lack (decision 35). */
export interface RollupTables {
  sign_ups_by_time: SignUpsByTime;
  mail_domains: { domain: string; people: number };
  /** How often each way to write a company's name was typed. */
  company_names: { key: string; company: string; people: number };
  /** One row: everyone up to this id is in the three tables above. */
  rollup_state: { only_row: Generated<boolean>; up_to: string; rolled_up_at: Date };
  rollup_changes: RollupChanges;
}

/** People by the hour and by the day in which they joined, and by campaign. Hours and days each count everyone. */
interface SignUpsByTime {
  span: "hour" | "day";
  starts_at: Date;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  joined: number;
  confirmed: number;
  invited: number;
  newsletter: number;
  rejected: number;
}

/** Written by triggers: what someone counted as before a change (-1) and counts as after it (1). */
interface RollupChanges {
  sign_up_id: string;
  weight: number;
  joined_at: Date;
  utm: object | null;
  confirmed: boolean;
  invited: boolean;
  newsletter: boolean;
  rejected: boolean;
  domain: string;
  company_key: string | null;
  company: string | null;
}
