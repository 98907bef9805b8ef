/** Preloaded by a negative control: a server that doesn't count a PostgreSQL out of resources (53) as unavailable. */
import { changeSource } from "./change-source.ts";

changeSource("core/database/faults.ts", [["(08|40|53|57|58|25006)", "(08|40|57|58|25006)"]]);
