import { type ComponentType, lazy, Suspense } from "react";
import type { Me } from "#console/contract.ts";
import { Link, useView } from "./http/location.tsx";
import { useMe } from "./http/use-api.ts";
import { Loaded, Loading } from "./ui/states.tsx";
import { Activity } from "./views/activity.tsx";
import { Export } from "./views/export.tsx";
import { MessageList } from "./views/messages.tsx";
import { Overview } from "./views/overview.tsx";
import { People } from "./views/people.tsx";
import { Quarantine } from "./views/quarantine.tsx";
import { Waves } from "./views/waves.tsx";

const MessageView = lazy(async () => ({ default: (await import("./views/message/message.tsx")).MessageView }));

interface ViewProps extends Me {
  id: string | undefined;
}

const VIEWS: Record<string, ComponentType<ViewProps>> = {
  Overview,
  People,
  Messages,
  Waves,
  Export,
  Quarantine,
  Activity,
};

export function App() {
  const me = useMe();
  // The views show a failed refetch.
  return me.data ? <Shell me={me.data} /> : <Loaded query={me}>{() => null}</Loaded>;
}

function Shell({ me }: { me: Me }) {
  const [, open, id] = useView()
    .path.split("/")
    .map((part) => part || undefined);
  const names = Object.keys(VIEWS);
  const name = names.find((each) => each.toLowerCase() === (open ?? "overview"));
  const View = VIEWS[name ?? ""] ?? NoSuchView;
  return (
    <div className="shell">
      <nav aria-label="Views">
        <p className="product">{me.product}</p>
        <ul>
          {names.map((each) => (
            <li key={each}>
              <Link href={`/${each.toLowerCase()}`} aria-current={each === name ? "page" : undefined}>
                {each}
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
        <View {...me} id={id} />
      </main>
    </div>
  );
}

function Messages({ id, isReadOnly }: ViewProps) {
  if (!id) return <MessageList isReadOnly={isReadOnly} />;
  return (
    <Suspense fallback={<Loading />}>
      <MessageView key={id} id={id} isReadOnly={isReadOnly} />
    </Suspense>
  );
}

function NoSuchView() {
  return (
    <div className="state">
      <h1>No such view</h1>
      <p>
        <Link href="/overview">Go to the overview</Link>
      </p>
    </div>
  );
}
