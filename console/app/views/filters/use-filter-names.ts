import { useApi, useQuestions } from "#console/app/http/use-api.ts";
import { shortDate, shortDateTime } from "#console/app/ui/local-time.ts";
import type { MessageRow } from "#console/contract/messages.ts";
import type { Overview } from "#console/contract/overview.ts";
import type { Wave } from "#console/contract/waves.ts";
import { describeFilter, type FilterName, NONE } from "#core/people/filter-fields.ts";

const READ_ONCE = { staleTime: Number.POSITIVE_INFINITY };

/** Filters by name, with values as in a view's URL. */
export type FilterQuery = Readonly<Record<string, string>>;

/** Descriptions of the filters by wave and by message, newest first, if the query has such a filter. */
export function useNames(query: FilterQuery): Record<"wave" | "message", ReadonlyMap<string, string>> {
  const { data: waves = [] } = useApi<Wave[]>("/api/waves", { ...READ_ONCE, enabled: "wave" in query });
  const { data: all = [] } = useApi<MessageRow[]>("/api/messages", { ...READ_ONCE, enabled: "message" in query });
  const messages = all.filter(({ startedAt }) => startedAt);
  return {
    wave: new Map(waves.map(({ id, invitedAt }) => [id, `Wave of ${shortDate(invitedAt)}`])),
    message: new Map(messages.map(({ id, subject }) => [id, `Got “${subject}”`])),
  };
}

export function useFilterText(query: FilterQuery) {
  const names = { ...useNames(query), questions: useQuestions(), formatDate: shortDateTime };
  return (name: FilterName, value: string) => describeFilter(name, value, names);
}

/** The most common names, because the filters by name match only exact names. */
export function useKnownNames(name: FilterName): string[] {
  const { data } = useApi<Overview>("/api/overview?range=all", READ_ONCE);
  const { sources = [], companies = [], domains = [] } = data?.range ?? {};
  const known: Partial<Record<FilterName, string[]>> = {
    company: companies.map((each) => each.name),
    domain: domains.map((each) => each.name),
    source: sources.map(({ source }) => source ?? NONE),
    medium: sources.map(({ medium }) => medium ?? NONE),
    campaign: sources.map(({ campaign }) => campaign ?? NONE),
  };
  return known[name] ?? [];
}
