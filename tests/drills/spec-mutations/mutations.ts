/** A small change of the product that makes a line of the specification untrue. */
export interface Mutation {
  line: string;
  file: string;
  /** Occurs once in the file. Short, so that other changes leave it alone. */
  find: string;
  replace: string;
}

const QUERY_CLIENT = "site/http/query-client.ts";
const REQUEST = "site/http/request.ts";
const SIGN_UP = "contract/sign-up.ts";
const FORM = "site/waitlist/sign-up-form.tsx";
const USE_JOIN = "site/waitlist/use-join.ts";
const EARLY_SUBMIT = "site/waitlist/early-submit.ts";
const PAGE_AGE = "site/waitlist/page-age.ts";
const STATS_ROW = "site/waitlist/stats-row.tsx";
const JOINED_CARD = "site/waitlist/joined-card.tsx";
const TOAST_REGION = "site/toast/toast-region.tsx";
const TOASTS = "site/toast/toasts.ts";
const BACKDROP = "site/backdrop/backdrop.css";
const START = "site/backdrop/start.ts";
const QUALITY = "site/backdrop/quality.ts";
const SHADERS = "site/backdrop/shaders.ts";
const LINES = "site/backdrop/lines.ts";
const MOTION = "site/motion.css";
const NAV_BAR = "site/sections/nav-bar.tsx";
const HERO = "site/sections/hero/hero.tsx";
const ABOUT = "site/sections/about/about.tsx";
const DASHBOARD = "site/sections/about/sample-dashboard.tsx";
const FOOTER = "site/sections/footer/footer.tsx";
const NOT_FOUND = "site/pages/not-found.tsx";

const TABLE: [line: string, file: string, find: string, replace: string][] = [
  ["1.1", "brand/brand.ts", "evolving threats", "new threats"],
  ["1.2", DASHBOARD, '"LOW"', '"HIGH"'],
  ["1.3", DASHBOARD, '"24/7"', '"9 to 5"'],
  ["1.4", DASHBOARD, '"1,247"', '"1,248"'],
  ["1.5", DASHBOARD, '"OPTIMAL"', '"GOOD"'],
  ["1.6", ABOUT, "return (", 'if ("document" in globalThis) fetch("/api/dashboard").catch(() => {});\n  return ('],
  ["1.7", BACKDROP, "background: var(--color-ground);", "background: #222;"],
  ["1.7", BACKDROP, "inset: 0;", "inset: 0 0 50% 0;"],
  ["1.7", QUALITY, "seconds * 60", "seconds * 0"],

  ["2.1", "site/pages/site.tsx", 'path === "/"', 'path === "/home"'],
  ["2.2", NOT_FOUND, '"404 Page Not Found"', '"Page Not Found"'],
  ["2.3", NOT_FOUND, "add the page to the router?", "add the page?"],
  ["2.4", NAV_BAR, "nav-bar fixed", "nav-bar absolute"],
  ["2.5", NAV_BAR, 'label: "Contact", href: "#waitlist"', 'label: "Contact", href: "#contact"'],
  ["2.6", NAV_BAR, 'href="#waitlist"', 'href="#features"'],
  ["2.7", NAV_BAR, "LINKS.map(", "LINKS.slice(1).map("],
  ["2.8", "site/pages/landing.tsx", "<Hero />", "<About />\n<Hero />"],
  ["2.9", "site/sections/hero/hero.css", "min-height: 100svh;", "min-height: 50svh;"],
  ["2.10", "site/sections/hero/pills.tsx", "PILLS = 5", "PILLS = 4"],
  ["2.10", MOTION, "@keyframes float {", "@keyframes float {}\n@keyframes unused {"],
  ["2.11", HERO, "badge-dot", "badge-dot bg-bad"],
  ["2.12", HERO, "Digital Future", "Future"],
  ["2.13", HERO, 'href="#waitlist"', 'href="#about"'],
  ["2.13", HERO, "Join the Waitlist", "Join the Waitlist Now"],
  ["2.14", HERO, 'href="#features"', 'href="#about"'],
  ["2.14", HERO, "Learn More", "Learn More Here"],
  ["2.15", HERO, "Scroll", ""],
  ["2.16", "site/sections/features/features.tsx", '"Cloud Security"', '"Cloud Safety"'],
  ["2.17", ABOUT, "HIPAA", "ISO 27001"],
  ["2.18", ABOUT, "<SampleDashboard />", ""],
  ["2.19", STATS_ROW, "DAYS_TO_LAUNCH = 45", "DAYS_TO_LAUNCH = 44"],
  ["2.20", FOOTER, 'name: "Support"', 'name: "Help"'],
  ["2.20", FOOTER, "<h2>{name}</h2>", ""],
  ["2.21", FOOTER, '"#community"', '"#forum"'],
  ["2.22", FOOTER, "© 2024", "© 2025"],
  ["2.23", BACKDROP, "position: fixed;", "position: absolute;"],
  ["2.23", BACKDROP, "z-index: -1;", "z-index: 1;"],

  ["3.1", USE_JOIN, "WAITLIST_PATH, signUp", 'WAITLIST_PATH, { ...signUp, source: "page" }'],
  ["3.2", FORM, '<input type="checkbox"', '<input type="checkbox" defaultChecked'],
  ["3.3", STATS_ROW, "Number(value) : 0", "Number(value) : 1"],
  ["3.3", STATS_ROW, "Number.isFinite(value) ? Number(value) : 0", "value ?? 0"],
  ["3.3", STATS_ROW, "stats?.data?.[name]", "(stats as Partial<Stats['data']>)?.[name]"],

  ["4.1", EARLY_SUBMIT, "Joining...", "Sending..."],
  ["4.1", EARLY_SUBMIT, 'showAs("submitting", event);', ""],
  ["4.1", FORM, 'disabled={state === "submitting"}', ""],
  ["4.2", "site/waitlist/waitlist.css", ".card.joined {\n  border-color", ".unused {\n  border-color"],
  ["4.2", JOINED_CARD, "Successfully Joined!", "Successfully Joined! Welcome!"],
  ["4.2", "site/waitlist/form-returns.css", ":not(:target, [data-shown])", ""],
  ["4.3", JOINED_CARD, "early access information.", "early access information. Welcome!"],
  ["4.3", JOINED_CARD, "early access information", "early access"],
  ["4.4", USE_JOIN, "queryClient.invalidateQueries({ queryKey: [STATS_PATH] });", ""],
  ["4.5", "site/waitlist/waitlist.tsx", "<SignUpForm", "<SignUpForm key={joining.state}"],
  ["4.6", NAV_BAR, 'popoverTarget="menu"', ""],
  ["4.7", LINES, "gl.clear(gl.COLOR_BUFFER_BIT);", "gl.clear(gl.COLOR_BUFFER_BIT);\n      return;"],
  ["4.7", LINES, "gl.useProgram(line);", "return;"],
  ["4.8", BACKDROP, "animation: circle-pulse", "--unused: circle-pulse"],
  ["4.8", BACKDROP, "opacity: 0.5;", "opacity: 1;"],
  ["4.8", BACKDROP, "linear-gradient(", "radial-gradient("],
  ["4.9", LINES, "!gl.getProgramParameter(program, gl.LINK_STATUS)", "gl.isContextLost()"],
  ["4.10", START, '  addEventListener("resize", show);', ""],
  ["4.11", START, 'document.addEventListener("visibilitychange", show);', ""],
  ["4.12", "site/toast/toast.css", "border-color: var(--color-bad);", ""],
  ["4.13", TOAST_REGION, "<Radix.Viewport", '{toast && <Radix.Root className="toast" />}<Radix.Viewport'],

  ["5.1", SIGN_UP, '"First name is required"', '"Please enter your first name"'],
  ["5.2", SIGN_UP, '"Last name is required"', '"Please enter your last name"'],
  ["5.3", SIGN_UP, "z.regex(address, INVALID_EMAIL)", "z.minLength(1, INVALID_EMAIL)"],
  ["5.3", FORM, "resolver: zodResolver(formSchema),", "resolver: zodResolver(formSchema),\n    errors: refused,"],
  ["5.4", SIGN_UP, 'text("Company", MAX_LENGTH.company)', 'text("Company", MAX_LENGTH.company).check(z.minLength(1))'],
  ["5.5", PAGE_AGE, "MIN_AGE_MS = 3000", "MIN_AGE_MS = 2999"],
  ["5.5", PAGE_AGE, "Please take a moment to review", "Please review"],
  ["5.5", EARLY_SUBMIT, "if (!isTooSoon) {", "if (event) {"],
  ["5.6", USE_JOIN, "WAITLIST_PATH, signUp", "WAITLIST_PATH, { ...signUp, website: undefined }"],

  ["6.1", NAV_BAR, "<BrandLink />", '<BrandLink />\n<a href="/account">Log in</a>'],
  ["6.1", NOT_FOUND, "<BrandLink />", '<BrandLink />\n<a href="/account">Sign in</a>'],
  ["6.1", "server/http/same-origin.ts", "if (isSameOrigin(", "if (request.headers.cookie && isSameOrigin("],

  ["7.1", USE_JOIN, 'send("POST"', 'send("PUT"'],
  ["7.1", REQUEST, "body: JSON.stringify(body)", "body: String(body)"],
  ["7.1", USE_JOIN, ".json()", ".text() as never"],
  ["7.2", QUERY_CLIENT, "refetchOnWindowFocus: false", 'refetchOnWindowFocus: "always"'],
  ["7.2", QUERY_CLIENT, "refetchInterval: false", "refetchInterval: 60_000"],
  ["7.2", "site/main.ts", "if (document.hidden) hydrate();", ""],
  ["7.3", REQUEST, "? headers && { headers }", '? { headers: { "content-type": "application/json", ...headers } }'],
  ["7.3", REQUEST, '"content-type": "application/json", ', ""],
  ["7.4", REQUEST, 'credentials: "include",', ""],
  ["7.5", REQUEST, "!response.ok", "response.status >= 500"],
  ["7.5", REQUEST, "!response.ok", "response.status < 500 && !response.ok"],
  ["7.5", REQUEST, "credentials:", "signal: AbortSignal.timeout(15_000),\n    credentials:"],
  ["7.6", QUERY_CLIENT, 'queryKey.join("/")', "String(queryKey[0])"],
  ["7.7", QUERY_CLIENT, 'readJson({ on401: "throw" })', 'readJson({ on401: "null" })'],
  ["7.7", QUERY_CLIENT, "return null;", "throw reason;"],
  ["7.8", QUERY_CLIENT, "refetchInterval: false", "refetchInterval: 60_000"],
  ["7.8", QUERY_CLIENT, "refetchOnWindowFocus: false", 'refetchOnWindowFocus: "always"'],
  ["7.8", QUERY_CLIENT, "staleTime: Number.POSITIVE_INFINITY", "staleTime: 60_000"],
  ["7.8", QUERY_CLIENT, "POSITIVE_INFINITY,\n        retry: false", "POSITIVE_INFINITY,\n        retry: 3"],
  ["7.8", QUERY_CLIENT, "mutations: { retry: false", "mutations: { retry: 3"],

  ["8.1", REQUEST, "response.status}: ", "response.status} "],
  ["8.1", REQUEST, " || response.statusText", ""],
  ["8.1", REQUEST, "(await response.text()) || response.statusText", "response.statusText"],
  ["8.2", SIGN_UP, '"already on the waitlist"', '"already on the list"'],
  ["8.2", "site/waitlist/form-returns.tsx", "(FORM_ERRORS).map(", "(FORM_ERRORS).slice(1).map("],
  ["8.3", USE_JOIN, 'title: "Error"', 'title: "Failed"'],
  ["8.3", USE_JOIN, 'variant: "destructive"', 'variant: "default"'],
  ["8.4", USE_JOIN, '"Successfully joined the waitlist!"', '"Welcome!"'],
  ["8.5", "site/backdrop/backdrop.tsx", "console.warn(", "void ("],
  ["8.5", "site/backdrop/backdrop.tsx", 'setMode("fallback");', ""],

  ["9.1", TOASTS, "DURATION_MS = 5000", "DURATION_MS = 4999"],
  ["9.1", TOASTS, "DURATION_MS = 5000", "DURATION_MS = 5002"],
  ["9.1", TOAST_REGION, "<Radix.Provider key={toast?.id}", "<Radix.Provider"],
  ["9.2", TOASTS, "REMOVE_AFTER_MS = 1_000_000", "REMOVE_AFTER_MS = 1000"],
  ["9.3", TOAST_REGION, "SWIPE_THRESHOLD = 50", "SWIPE_THRESHOLD = 49"],
  ["9.3", TOAST_REGION, "SWIPE_THRESHOLD = 50", "SWIPE_THRESHOLD = 51"],
  ["9.4", TOAST_REGION, '"F8"', '"F9"'],
  ["9.5", "site/toast/toast.css", "max-width: 420px", "max-width: 480px"],
  ["9.6", MOTION, "@keyframes fade-up {\n  from {\n    opacity: 0;", "@keyframes fade-up {\n  from {"],
  ["9.6", MOTION, "animation-delay: 0.9s;", "animation-delay: 1s;"],
  ["9.7", MOTION, "pill-in 2.4s", "pill-in 2s"],
  ["9.8", MOTION, "float 12s", "float 10s"],
  ["9.9", MOTION, ".feature {\n  animation:", ".feature {\n  --unused:"],
  ["9.9", MOTION, ".feature {\n  animation:", '[data-reveal="shown"] {\n  animation:'],
  ["9.9", MOTION, ".feature:nth-child(3) {", ".feature:nth-child(9) {"],
  ["9.10", QUALITY, "TIME_PER_FRAME = 0.05", "TIME_PER_FRAME = 0.06"],
  ["9.10", SHADERS, "LINE_SPEED = 0.05", "LINE_SPEED = 0.06"],
  ["9.10", SHADERS, "GRID_CELLS_PER_UNIT = 10", "GRID_CELLS_PER_UNIT = 8"],
];

export const MUTATIONS: Mutation[] = TABLE.map(([line, file, find, replace]) => ({ line, file, find, replace }));

export const occurrences = (text: string, find: string): number => text.split(find).length - 1;
