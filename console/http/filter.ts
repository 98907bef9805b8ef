import * as z from "zod/mini";
import { ANSWER_FORMAT, FILTER_NAMES, FILTERS, type FilterName, OR } from "#core/people/filter-fields.ts";
import { distinctWords } from "#core/people/search-words.ts";

export const id = z.string().check(z.regex(/^(0|[1-9]\d{0,17})$/, "must be an id"));
export const withId = { params: z.object({ id }) };
const yesOrNo = z.pipe(
  z.enum(["yes", "no"]),
  z.transform((value) => value === "yes"),
);
/** A date, or a timestamp in UTC. */
export const date = z.pipe(
  z.union([z.iso.date(), z.iso.datetime()]),
  z.transform((value) => new Date(value)),
);

/** An empty text would match nobody. No stored value has control characters, and PostgreSQL rejects U+0000. */
export const text = z.string().check(z.minLength(1), z.maxLength(254), z.regex(/^[^\p{Cc}]*$/u));

const MAX_NAMES = 20;
const isEachText = (names: string) => names.split(OR).every((each) => text.safeParse(each).success);
const name = z.string().check(z.refine((names) => names.split(OR).length <= MAX_NAMES && isEachText(names)));

const answer = text.check(z.regex(ANSWER_FORMAT));

/** Each word reads its part of the index: 120 words took 18 s. */
const search = text.check(z.refine((words) => distinctWords(words).length <= 10, "Search for at most ten words."));

const TYPES = { text: search, name, id, date, choice: yesOrNo, answer };

type FilterSchemas = { [Name in FilterName]: z.ZodMiniOptional<(typeof TYPES)[(typeof FILTERS)[Name]["type"]]> };

/** Filters as in a view's URL. Use strict objects: if an unknown filter were dropped, everyone would match. */
export function filterSchemas(names: readonly FilterName[] = FILTER_NAMES): FilterSchemas {
  return Object.fromEntries(names.map((name) => [name, z.optional(TYPES[FILTERS[name].type])])) as FilterSchemas;
}
