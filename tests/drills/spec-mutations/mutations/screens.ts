import type { MutationRow } from "#tests/drills/spec-mutations/mutations.ts";

const BACKDROP_CSS = "site/backdrop/backdrop.css";
const MOTION_CSS = "site/motion.css";
const LANDING = "site/pages/landing.tsx";
const NOT_FOUND = "site/pages/not-found.tsx";
const SITE = "site/pages/site.tsx";
const ABOUT = "site/sections/about/about.tsx";
const FEATURES = "site/sections/features/features.tsx";
const FOOTER = "site/sections/footer/footer.tsx";
const HERO_CSS = "site/sections/hero/hero.css";
const HERO = "site/sections/hero/hero.tsx";
const NAV_BAR = "site/sections/nav-bar.tsx";
const STATS_ROW = "site/waitlist/stats-row.tsx";

/** Section 2 of the specification. */
export const SCREENS: MutationRow[] = [
  ["2.1", "the landing page is at /home", SITE, 'path === "/"', 'path === "/home"'],
  [
    "2.1",
    "/ becomes the not-found page after hydration",
    "site/hydrate.tsx",
    "path={location.pathname}",
    'path="/not-the-landing-page"',
  ],
  ["2.2", "the not-found page has another title", NOT_FOUND, '"404 Page Not Found"', '"Page Not Found"'],
  [
    "2.2",
    "any path but /anything… answers JSON",
    "server/http/not-found.ts",
    'path.startsWith("/api/")',
    '!path.startsWith("/anything")',
  ],
  ["2.3", "the not-found page has other words", NOT_FOUND, "add the page to the router?", "add the page?"],
  ["2.3", "/about shows the landing page", SITE, 'path === "/"', 'path === "/" || path === "/about"'],
  ["2.4", "the bar scrolls away", NAV_BAR, "nav-bar fixed", "nav-bar absolute"],
  [
    "2.4",
    "the bar is invisible once the page scrolls",
    MOTION_CSS,
    "    backdrop-filter: none;\n  }",
    "    backdrop-filter: none;\n  }\n  to {\n    visibility: hidden;\n  }",
  ],
  [
    "2.4",
    "the bar fades away once the page scrolls",
    MOTION_CSS,
    "    backdrop-filter: none;\n  }",
    "    backdrop-filter: none;\n  }\n  to {\n    opacity: 0;\n  }",
  ],
  [
    "2.5",
    "Contact leads to #contact",
    NAV_BAR,
    'label: "Contact", href: "#waitlist"',
    'label: "Contact", href: "#contact"',
  ],
  [
    "2.5",
    "Features, About and Contact do nothing when clicked",
    NAV_BAR,
    "<a key={label} href={href} onClick={close}",
    "<a key={label} href={href} onClick={(event) => event.preventDefault()}",
  ],
  ["2.6", "Join Waitlist leads to #features", NAV_BAR, 'href="#waitlist"', 'href="#features"'],
  ["2.7", "the bar has no Features", NAV_BAR, "LINKS.map(", "LINKS.slice(1).map("],
  ["2.8", "the hero comes second", LANDING, "<Hero />", "<About />\n<Hero />"],
  [
    "2.8",
    "sections are shown in reverse order",
    LANDING,
    'tabIndex={-1} className="outline-none"',
    'tabIndex={-1} className="flex flex-col-reverse outline-none"',
  ],
  ["2.9", "the hero fills half the screen", HERO_CSS, "min-height: 100svh;", "min-height: 50svh;"],
  [
    "2.9",
    "the hero stands on grey",
    HERO_CSS,
    "  min-height: 100svh;",
    "  min-height: 100svh;\n  background: #8090a0;",
  ],
  ["2.10", "four pills", "site/sections/hero/pills.tsx", "PILLS = 5", "PILLS = 4"],
  ["2.10", "the pills don't drift", MOTION_CSS, "@keyframes float {", "@keyframes float {}\n@keyframes unused {"],
  [
    "2.10",
    "pills are rectangles",
    HERO_CSS,
    "  border-radius: 999px;\n  background:\n    radial",
    "  border-radius: 0;\n  background:\n    radial",
  ],
  ["2.11", "the badge's dot is red", HERO, "badge-dot", "badge-dot bg-bad"],
  [
    "2.11",
    "the green dot has no size",
    "site/backdrop/sighting.css",
    "  flex: none;\n  width: 0.5rem;\n  height: 0.5rem;",
    "  flex: none;\n  width: 0;\n  height: 0;",
  ],
  ["2.12", "the headline says Future", HERO, "Digital Future", "Future"],
  [
    "2.12",
    "Digital Future is transparent",
    "site/theme.css",
    "    background: linear-gradient(to right, var(--color-accent), var(--color-accent-far)) text;\n",
    "",
  ],
  ["2.13", "Join the Waitlist leads to #about", HERO, 'href="#waitlist"', 'href="#about"'],
  ["2.13", "Join the Waitlist has another label", HERO, "Join the Waitlist", "Join the Waitlist Now"],
  ["2.14", "Learn More leads to #about", HERO, 'href="#features"', 'href="#about"'],
  ["2.14", "Learn More has another label", HERO, "Learn More", "Learn More Here"],
  [
    "2.14",
    "Learn More does nothing when clicked",
    HERO,
    '<ButtonLink look="quiet" href="#features">',
    '<ButtonLink look="quiet" href="#features" onClick={(event) => event.preventDefault()}>',
  ],
  ["2.15", "no scroll hint", HERO, "Scroll", ""],
  ["2.15", "the scroll hint is clipped away below the hero", HERO_CSS, "inset: auto 0 1.5rem;", "inset: auto 0 -9rem;"],
  ["2.16", "a card has another title", FEATURES, '"Cloud Security"', '"Cloud Safety"'],
  [
    "2.16",
    "no card is shown",
    FEATURES,
    '<ul ref={list} className="grid gap-4',
    '<ul ref={list} className="hidden gap-4',
  ],
  ["2.17", "Compliance Ready covers ISO 27001, not HIPAA", ABOUT, "HIPAA", "ISO 27001"],
  ["2.18", "no dashboard", ABOUT, "<SampleDashboard />", ""],
  ["2.19", "44 days to launch", STATS_ROW, "DAYS_TO_LAUNCH = 45", "DAYS_TO_LAUNCH = 44"],
  [
    "2.19",
    "days to launch are computed from the date",
    STATS_ROW,
    "const DAYS_TO_LAUNCH = 45;",
    'const DAYS_TO_LAUNCH = Math.ceil((Date.parse("2026-12-31T23:00Z") - Date.now()) / 86_400_000);',
  ],
  [
    "2.19",
    "days to launch are computed from the date (45 today)",
    STATS_ROW,
    "const DAYS_TO_LAUNCH = 45;",
    'const DAYS_TO_LAUNCH = Math.floor((Date.parse("2026-12-31T23:00Z") - Date.now()) / 86_400_000);',
  ],
  ["2.20", "a column is named Help", FOOTER, 'name: "Support"', 'name: "Help"'],
  ["2.20", "the columns have no headings", FOOTER, "<h2>{name}</h2>", ""],
  ["2.21", "#community is #forum", FOOTER, '"#community"', '"#forum"'],
  [
    "2.21",
    "nine of the thirteen links are not shown",
    "site/sections/footer/upcoming-link.tsx",
    'className="footer-link"',
    'className="hidden"',
  ],
  ["2.22", "the year is 2025", FOOTER, "© 2024", "© 2025"],
  ["2.22", "other years too", FOOTER, "<p>© 2024 {brand.name}</p>", "<p>© 2024 {brand.name}, 2019–2026</p>"],
  ["2.23", "the backdrop scrolls away", BACKDROP_CSS, "position: fixed;", "position: absolute;"],
  ["2.23", "the backdrop covers the content", BACKDROP_CSS, "z-index: -1;", "z-index: 1;"],
];
