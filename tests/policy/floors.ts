interface House {
  /** The other folders that this one may import. */
  below: string[];
  /** Its rooms, top floor first. A room imports only rooms on the floors below it, values and types alike. */
  floors?: string[][];
}

/** Which of our files may import which. The drawing in the docs shows it. Biome's own rules cover only packages. */
export const HOUSES: Record<string, House> = {
  brand: { below: [] },
  contract: { below: [] },
  core: {
    below: ["contract", "brand"],
    floors: [
      ["transfer", "on-call"],
      ["messages", "retention"],
      ["invitations", "members"],
      ["mail/queue", "mail/events"],
      ["mail/rendering", "mail/suppression", "mail/dns"],
      ["sign-ups", "mail", "webhooks", "operators"],
      ["activity", "links", "overview", "http", "service"],
      ["people", "views"],
      ["config"],
      ["database", "text"],
    ],
  },
  site: {
    below: ["contract", "brand"],
    floors: [
      ["main.ts"],
      ["hydrate.tsx", "prerender.tsx"],
      ["pages"],
      ["sections", "waitlist", "backdrop"],
      ["toast"],
      ["http", "ui"],
    ],
  },
  server: {
    below: ["core", "contract", "brand"],
    floors: [["main.ts"], ["app.ts"], ["routes"], ["pages", "limits"], ["http"]],
  },
  worker: { below: ["core", "contract", "brand"] },
  cli: {
    below: ["core", "contract", "brand"],
    floors: [
      ["waitlist.ts"],
      ["run.ts"],
      ["program.ts"],
      ["service", "invitations", "retention", "mail", "webhooks"],
      ["messages", "people"],
      ["terminal"],
    ],
  },
  console: {
    below: ["core", "contract", "brand"],
    floors: [["main.ts", "start.ts"], ["api", "sign-in"], ["http"], ["contract"], ["json"]],
  },
  // Runs in a browser, so it may use only core files that import nothing but types and formats.
  "console/app": {
    below: [
      "console/contract",
      "site/http/request.ts",
      "core/text/decode-text.ts",
      "core/text/format.ts",
      "core/people/filter-fields.ts",
      "core/people/origin.ts",
      "core/people/question-limits.ts",
      "core/overview/funnel-steps.ts",
      "core/sign-ups/quarantine-size.ts",
      "core/members/line-text.ts",
      "core/mail/delivery-reasons.ts",
    ],
    floors: [["main.tsx"], ["app.tsx"], ["views"], ["charts", "ui"], ["http"]],
  },
  tools: { below: ["brand", "contract", "core", "site", "server", "worker", "cli", "console"] },
};

/** The only imports between neighbors. */
const DOORS = ["server/main.ts → worker/start.ts", "cli/service/console.ts → console/start.ts"];

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const innermost = (path: string, folders: string[]) =>
  folders.filter((folder) => isIn(path, folder)).sort((a, b) => b.length - a.length)[0];

export function mayImport(from: string, to: string): boolean {
  const [name, other] = [from, to].map((path) => innermost(path, Object.keys(HOUSES)));
  const house = HOUSES[name ?? ""];
  if (!house) throw new Error(`${from} is in no house.`);
  if (name !== other) return house.below.some((folder) => isIn(to, folder)) || DOORS.includes(`${from} → ${to}`);
  const floors = house.floors?.map((rooms) => rooms.map((room) => `${name}/${room}`));
  if (!floors) return true;
  const [room, lower] = [from, to].map((path) => innermost(path, floors.flat()));
  const floorOf = (each = "") => floors.findIndex((rooms) => rooms.includes(each));
  return room !== undefined && (room === lower || floorOf(lower) > floorOf(room));
}

/** The drawing in docs/architecture.md. */
export function drawFloors(): string {
  const floors = HOUSES.core?.floors?.map((rooms, index) => `    floor${index}["${rooms.join(" · ")}"]`) ?? [];
  const over = Object.keys(HOUSES).filter((name) => HOUSES[name]?.below.includes("core") && name !== "tools");
  return [
    "```mermaid",
    "flowchart TB",
    `  ${over.join(" & ")} --> core`,
    "  subgraph core",
    "    direction TB",
    ...floors,
    `    ${floors.map((_, index) => `floor${index}`).join(" --> ")}`,
    "  end",
    '  site & core --> below["contract · brand"]',
    "```",
  ].join("\n");
}
