import { useQuery } from "@tanstack/react-query";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import type { Me } from "#console/contract.ts";
import { get } from "./http/request.ts";
import { Loaded } from "./ui/states.tsx";
import { Overview } from "./views/overview.tsx";
import { People } from "./views/people.tsx";
import { Quarantine } from "./views/quarantine.tsx";

const VIEWS = [
  { path: "/overview", title: "Overview" },
  { path: "/people", title: "People" },
  { path: "/quarantine", title: "Quarantine" },
];

export function App() {
  const me = useQuery({ queryKey: ["me"], queryFn: () => get<Me>("/api/me"), staleTime: Number.POSITIVE_INFINITY });
  return <Loaded query={me}>{(who) => <Shell me={who} />}</Loaded>;
}

function Shell({ me }: { me: Me }) {
  const [location] = useLocation();
  return (
    <div className="shell">
      <nav aria-label="Views">
        <p className="product">{me.product}</p>
        <ul>
          {VIEWS.map(({ path, title }) => (
            <li key={path}>
              <Link href={path} aria-current={location.startsWith(path) ? "page" : undefined}>
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
        <Switch>
          <Route path="/overview" component={Overview} />
          <Route path="/people/:id?">{({ id }) => <People id={id} isReadOnly={me.isReadOnly} />}</Route>
          <Route path="/quarantine">
            <Quarantine isReadOnly={me.isReadOnly} />
          </Route>
          <Route path="/">
            <Redirect to="/overview" replace />
          </Route>
          <Route>
            <div className="state">
              <h1>No such view</h1>
              <p>
                <Link href="/overview">Go to the overview</Link>
              </p>
            </div>
          </Route>
        </Switch>
      </main>
    </div>
  );
}
