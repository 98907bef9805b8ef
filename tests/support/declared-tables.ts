import type { Selectable } from "kysely";
import type { Tables } from "#core/database/tables.ts";

/** The tables as TypeScript declares them, with plain column types, such as `string` instead of a union of texts. */
export type DeclaredTables = {
  [Table in keyof Tables]: { [Column in keyof Selectable<Tables[Table]>]: Plain<Selectable<Tables[Table]>[Column]> };
};

type Plain<Type> = Type extends null
  ? null
  : Type extends string
    ? string
    : Type extends number
      ? number
      : Type extends boolean
        ? boolean
        : Type extends Date | Buffer | unknown[]
          ? Type
          : object;
