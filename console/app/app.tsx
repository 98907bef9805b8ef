import { Clock, Download, House, KeyRound, ListChecks, Mail, Menu, Send, ShieldAlert, Users, Zap } from "lucide-react";
import { type ComponentType, lazy, Suspense, useEffect, useRef } from "react";
import { Button } from "#console/app/ui/button.tsx";
import type { Me, Webhook } from "#console/contract/operators.ts";
import type { ListCounts } from "#console/contract/overview.ts";
import { may, type Permission, type Role } from "#console/contract/roles.ts";
import { formatCompact } from "#core/text/format.ts";
import { Link, useView } from "./http/location.tsx";
import { isTeam } from "./http/session.ts";
import { LIVE, useApi, useMe } from "./http/use-api.ts";
import { Account } from "./ui/account.tsx";
import { Loaded, Loading } from "./ui/states.tsx";
import { Activity } from "./views/activity.tsx";
import { Export } from "./views/export.tsx";
import { MessageList } from "./views/messages.tsx";
import { Overview } from "./views/overview.tsx";
import { People } from "./views/people.tsx";
import { Quarantine } from "./views/quarantine/quarantine.tsx";
import { Questions } from "./views/questions/questions.tsx";
import { Team } from "./views/team.tsx";
import { Waves } from "./views/waves.tsx";
import { Webhooks } from "./views/webhooks.tsx";

const MessageView = lazy(async () => ({ default: (await import("./views/message/message.tsx")).MessageView }));

interface NamedView {
  view: ComponentType<Me & { id: string | undefined }>;
  icon: typeof House;
  count?: keyof ListCounts;
  /** "read" by default. */
  permission?: Permission;
}

const VIEWS: Record<string, NamedView> = {
  Overview: { view: Overview, icon: House },
  People: { view: People, icon: Users, count: "people" },
  Messages: { view: Messages, icon: Mail },
  Waves: { view: Waves, icon: Send },
  Questions: { view: Questions, icon: ListChecks },
  Export: { view: Export, icon: Download, permission: "export" },
  Quarantine: { view: Quarantine, icon: ShieldAlert, count: "quarantined" },
  Activity: { view: Activity, icon: Clock },
  Webhooks: { view: Webhooks, icon: Zap, permission: "administer" },
  Team: { view: Team, icon: KeyRound, permission: "administer" },
};

export function App() {
  const me = useMe();
  // Keeps the shell if a refetch fails, because the views report the failure.
  return me.data ? <Shell me={me.data} /> : <Loaded query={me}>{() => null}</Loaded>;
}

function Shell({ me }: { me: Me }) {
  const { path } = useView();
  const [, open, id] = path.split("/");
  const menu = useRef<HTMLUListElement>(null);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    menu.current?.hidePopover();
    main.current?.scrollTo(0, 0);
    // Opening a person's panel beside the list of people doesn't scroll the list.
  }, [open === "people" ? open : path]);
  const counts = useApi<ListCounts>("/api/counts", LIVE);
  const webhooks = useApi<Webhook[]>("/api/webhooks", { ...LIVE, enabled: may(me.role, "administer") });
  const disabled = webhooks.data?.filter(({ state }) => state === "disabled") ?? [];
  const views = Object.entries(VIEWS).filter(
    ([, { view, permission = "read" }]) => may(me.role, permission) && (view !== Team || isTeam()),
  );
  const [name, { view: View } = { view: NoSuchView }] =
    views.find(([each]) => each.toLowerCase() === (open || "overview")) ?? [];
  return (
    <div className="shell">
      <nav aria-label="Views">
        <p className="product">
          <img src="/icon.svg" width="22" height="22" alt="" />
          <span className="name">{me.product}</span>
        </p>
        <Button className="button menu" popoverTarget="views">
          <Menu size={16} aria-hidden /> Menu
        </Button>
        <ul id="views" popover="auto" ref={menu}>
          {views.map(([each, { icon: Icon, count }]) => (
            <li key={each}>
              <Link href={`/${each.toLowerCase()}`} aria-label={each} aria-current={each === name ? "page" : undefined}>
                <Icon size={16} aria-hidden />
                <span className="name">{each}</span>
                {count && counts.data && <span className="count">{formatCompact(counts.data[count])}</span>}
              </Link>
            </li>
          ))}
        </ul>
        <Account me={me} />
      </nav>
      <main ref={main}>
        {disabled.map(({ id, host }) => (
          <p key={id} className="callout" role="alert">
            Webhook {id} to {host} failed for three days, so it is disabled. Events wait for up to 30 days.{" "}
            <Link href="/webhooks">See webhooks</Link>
          </p>
        ))}
        <Suspense fallback={<Loading />}>
          <View {...me} id={id || undefined} />
        </Suspense>
      </main>
    </div>
  );
}

function Messages({ id, role }: { id: string | undefined; role: Role }) {
  return id ? <MessageView key={id} id={id} role={role} /> : <MessageList role={role} />;
}

function NoSuchView() {
  return (
    <div className="state">
      <h1>No such view</h1>
      {isTeam() && <p>It doesn't exist, or your role doesn't include it.</p>}
      <p>
        <Link href="/overview">Go to the overview</Link>
      </p>
    </div>
  );
}
