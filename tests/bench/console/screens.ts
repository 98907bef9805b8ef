interface Screen {
  name: string;
  /** The path of the screen's first data. */
  data?: string;
  /** The path of a count that the screen loads separately. */
  count?: string;
}

const people = (name: string, filter: string): Screen => ({
  name,
  data: `/api/people?${filter}&limit=100`,
  count: `/api/people/count?${filter}`,
});

/** The message editor's request after each change of the filters. */
const audience = (name: string, filter: string): Screen => ({
  name: `message: ${name}`,
  count: `/api/audience?${filter}`,
});

/** `middle` is the id of someone in the middle of the list. */
export function screens(middle: number): Screen[] {
  return [
    { name: "overview", data: "/api/overview" },
    people("people", ""),
    people("people: confirmed", "confirmed=yes"),
    people("people: not confirmed", "confirmed=no"),
    people("people: invited", "invited=yes"),
    people("people: not invited", "invited=no"),
    people("people: suppressed", "suppressed=yes"),
    people("people: unsubscribed", "unsubscribed=yes"),
    people("people: newsletter", "newsletter=yes"),
    people("people: joined in a week half a year ago", `since=${daysAgo(187)}&until=${daysAgo(180)}`),
    people("people: a company", "company=Firm%208f14e"),
    people("people: a source that brought a quarter", "source=hackernews"),
    people("people: a source that brought one in 50,000", "source=billboard"),
    people("people: a campaign", "campaign=soc-automation"),
    people("people: no campaign", "source=(none)&medium=(none)&campaign=(none)"),
    people("people: a mail domain", "domain=mail7.example.com"),
    people("people: who got a message", "message=1"),
    people("people: a wave", "wave=12"),
    people("people: unconfirmed in a wave, from a source", "wave=12&confirmed=no&source=google"),
    people("search: an address", "search=edsger8f.8f14e45"),
    people("search: the beginning of most addresses", "search=a"),
    people("search: a last name", "search=63dc7ed"),
    people("search: a full name", "search=Edsger8f%2063dc"),
    people("search: a company", "search=Firm%208f14"),
    people("search: nobody", "search=zzzzzz"),
    { name: "person", data: `/api/people/${middle}` },
    { name: "people: further down", data: `/api/people?before=${Date.parse(daysAgo(180))}000-1&limit=100` },
    { name: "waves", data: "/api/waves" },
    { name: "messages", data: "/api/messages" },
    audience("everyone", "kind=announcement"),
    audience("a campaign", "kind=announcement&campaign=soc-automation"),
    audience("the next of a campaign", "kind=invitation&campaign=soc-automation&next=500"),
    audience("a company", "kind=announcement&company=Firm%208f14e"),
    audience("a wave", "kind=announcement&wave=12"),
    { name: "activity", data: "/api/activity" },
    { name: "quarantine", data: "/api/quarantine" },
  ];
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
