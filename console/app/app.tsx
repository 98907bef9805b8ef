import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { Me } from "#console/contract.ts";
import { Link, useView } from "./http/location.tsx";
import { meQuery } from "./http/me.ts";
import { Loaded, Loading } from "./ui/states.tsx";
import { Activity } from "./views/activity.tsx";
import { Export } from "./views/export.tsx";
import { Messages } from "./views/messages.tsx";
import { Overview } from "./views/overview.tsx";
import { People } from "./views/people.tsx";
import { Quarantine } from "./views/quarantine.tsx";
import { Waves } from "./views/waves.tsx";

const MessageView = lazy(async () => ({ default: (await import("./views/message/message.tsx")).MessageView }));

const VIEWS = [
  { path: "/overview", title: "Overview" },
  { path: "/people", title: "People" },
  { path: "/messages", title: "Messages" },
  { path: "/waves", title: "Waves" },
  { path: "/export", title: "Export" },
  { path: "/quarantine", title: "Quarantine" },
  { path: "/activity", title: "Activity" },
];

export function App() {
  const me = useQuery(meQuery);
  // A failed refetch is for the views to show.
  return me.data ? <Shell me={me.data} /> : <Loaded query={me}>{() => null}</Loaded>;
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
    case "messages":
      return id ? (
        <Suspense fallback={<Loading />}>
          <MessageView key={id} id={id} isReadOnly={isReadOnly} />
        </Suspense>
      ) : (
        <Messages isReadOnly={isReadOnly} />
      );
    case "waves":
      return <Waves isReadOnly={isReadOnly} />;
    case "export":
      return <Export linkDays={linkDays} />;
    case "quarantine":
      return <Quarantine isReadOnly={isReadOnly} />;
    case "activity":
      return <Activity />;
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
