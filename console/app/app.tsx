import { useQuery } from "@tanstack/react-query";
import type { Me } from "#console/contract.ts";
import { Link, useView } from "./http/location.tsx";
import { get } from "./http/request.ts";
import { Loaded } from "./ui/states.tsx";
import { Export } from "./views/export.tsx";
import { Overview } from "./views/overview.tsx";
import { People } from "./views/people.tsx";
import { Quarantine } from "./views/quarantine.tsx";

const VIEWS = [
  { path: "/overview", title: "Overview" },
  { path: "/people", title: "People" },
  { path: "/export", title: "Export" },
  { path: "/quarantine", title: "Quarantine" },
];

export function App() {
  const me = useQuery({ queryKey: ["me"], queryFn: () => get<Me>("/api/me"), staleTime: Number.POSITIVE_INFINITY });
  return <Loaded query={me}>{(who) => <Shell me={who} />}</Loaded>;
}

function Shell({ me }: { me: Me }) {
  const { path } = useView();
  return (
    <div className="shell">
      <nav aria-label="Views">
        <p className="product">{me.product}</p>
        <ul>
          {VIEWS.map(({ path: href, title }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={path.startsWith(href) || (path === "/" && href === "/overview") ? "page" : undefined}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
        <p className="operator">
          {me.operator}
          {me.isReadOnly && <span className="tag">read-only</span>}
        </p>
      </nav>
      <main>
        <View path={path} me={me} />
      </main>
    </div>
  );
}

function View({ path, me: { isReadOnly, linkDays } }: { path: string; me: Me }) {
  const [, view = "overview", id] = path.split("/").map((part) => part || undefined);
  switch (view) {
    case "overview":
      return <Overview />;
    case "people":
      return <People id={id} isReadOnly={isReadOnly} />;
    case "export":
      return <Export linkDays={linkDays} />;
    case "quarantine":
      return <Quarantine isReadOnly={isReadOnly} />;
    default:
      return (
        <div className="state">
          <h1>No such view</h1>
          <p>
            <Link href="/overview">Go to the overview</Link>
          </p>
        </div>
      );
  }
}
