import type { MutationRow } from "#tests/drills/spec-mutations/mutations.ts";

const BACKDROP_CSS = "site/backdrop/backdrop.css";
const LINES = "site/backdrop/lines.ts";
const START = "site/backdrop/start.ts";
const NAV_BAR = "site/sections/nav-bar.tsx";
const JOINED_CARD = "site/waitlist/joined-card.tsx";
const EARLY_SUBMIT = "site/waitlist/early-submit.ts";
const SIGN_UP_FORM = "site/waitlist/sign-up-form.tsx";
const STATS_ROW = "site/waitlist/stats-row.tsx";
const USE_JOIN = "site/waitlist/use-join.ts";

/** Sections 3 and 4 of the specification. */
export const ENTITIES_AND_STATES: MutationRow[] = [
  ["3.1", "a seventh field is sent", USE_JOIN, "WAITLIST_PATH, signUp", 'WAITLIST_PATH, { ...signUp, source: "page" }'],
  [
    "3.1",
    "the company typed is never sent",
    USE_JOIN,
    "WAITLIST_PATH, signUp",
    'WAITLIST_PATH, { ...signUp, company: "" }',
  ],
  [
    "3.2",
    "the newsletter's box is ticked",
    SIGN_UP_FORM,
    '<input type="checkbox"',
    '<input type="checkbox" defaultChecked',
  ],
  ["3.3", "a missing number shows as 1", STATS_ROW, "Number(value) : 0", "Number(value) : 1"],
  [
    "3.3",
    "the numbers are read from the top level",
    STATS_ROW,
    "stats?.data?.[name]",
    "(stats as Partial<Stats['data']>)?.[name]",
  ],
  [
    "3.3",
    "missing companiesInterested shows totalUsers, not 0",
    STATS_ROW,
    "numberOr0(stats?.data?.[name])",
    "numberOr0(stats?.data?.[name] ?? stats?.data?.totalUsers)",
  ],
  ["3.3", "a text shows as NaN", STATS_ROW, "Number.isFinite(value) ? Number(value) : 0", "value ?? 0"],
  ["4.1", "the button says Sending...", EARLY_SUBMIT, "Joining...", "Sending..."],
  ["4.1", "a held form looks idle", EARLY_SUBMIT, 'showAs("submitting", event);', ""],
  ["4.1", "the button stays enabled", SIGN_UP_FORM, 'disabled={state === "submitting"}', ""],
  ["4.2", "the card isn't green", "site/waitlist/waitlist.css", "\n.card.joined {", "\n.unused {"],
  [
    "4.2",
    "a form that comes back shows every card",
    "site/waitlist/form-returns.css",
    ":not(:target, [data-shown])",
    "",
  ],
  ["4.2", "the card's title goes on", JOINED_CARD, "Successfully Joined!", "Successfully Joined! Welcome!"],
  ["4.3", "the card's text goes on", JOINED_CARD, "early access information.", "early access information. Welcome!"],
  ["4.3", "the card's text ends early", JOINED_CARD, "early access information", "early access"],
  ["4.4", "the stats aren't fetched again", USE_JOIN, "queryClient.invalidateQueries({ queryKey: [STATS_PATH] });", ""],
  ["4.5", "an error empties the form", "site/waitlist/waitlist.tsx", "<SignUpForm", "<SignUpForm key={joining.state}"],
  [
    "4.5",
    "an error empties Last name",
    SIGN_UP_FORM,
    "      if (document.activeElement === document.body)",
    '      const last = document.getElementsByName("lastName")[0] as HTMLInputElement | undefined;\n      if (last) last.value = "";\n      if (document.activeElement === document.body)',
  ],
  ["4.6", "the toggle does nothing", NAV_BAR, 'popoverTarget="menu"', ""],
  [
    "4.6",
    "the menu opens only once",
    NAV_BAR,
    "            setMenu(newState);",
    '            setMenu(newState);\n            if (newState === "closed") toggle.current?.removeAttribute("popovertarget");',
  ],
  [
    "4.7",
    "neither grid nor lines",
    LINES,
    "gl.clear(gl.COLOR_BUFFER_BIT);",
    "gl.clear(gl.COLOR_BUFFER_BIT);\n      return;",
  ],
  ["4.7", "no lines", LINES, "gl.useProgram(line);", "return;"],
  ["4.8", "the circles have no animation", BACKDROP_CSS, "animation: circle-pulse", "--unused: circle-pulse"],
  ["4.8", "the circles pulse without changing", BACKDROP_CSS, "opacity: 0.5;", "opacity: 1;"],
  ["4.8", "the gradient is radial", BACKDROP_CSS, "linear-gradient(", "radial-gradient("],
  ["4.8", "the dark gradient starts white", BACKDROP_CSS, "    var(--color-accent-shade),", "    #ffffff,"],
  [
    "4.9",
    "a shader that doesn't link is ignored",
    LINES,
    "!gl.getProgramParameter(program, gl.LINK_STATUS)",
    "gl.isContextLost()",
  ],
  [
    "4.9",
    "no fallback when the worker can't start",
    START,
    'worker.addEventListener("error", ({ message }) => fail(message));',
    "",
  ],
  ["4.10", "it doesn't resize", START, '  addEventListener("resize", show);', ""],
  [
    "4.10",
    "a moving backdrop keeps its first size",
    "site/backdrop/renderer.ts",
    "      scene = next;",
    '      scene = scene?.state === "moving" ? { ...next, width: scene.width, height: scene.height } : next;',
  ],
  ["4.11", "it goes on in a hidden tab", START, 'document.addEventListener("visibilitychange", show);', ""],
  ["4.12", "a destructive toast has an ordinary border", "site/toast/toast.css", "border-color: var(--color-bad);", ""],
  [
    "4.13",
    "two toasts at once",
    "site/toast/toast-region.tsx",
    "<Radix.Viewport",
    '{toast && <Radix.Root className="toast" />}<Radix.Viewport',
  ],
];
