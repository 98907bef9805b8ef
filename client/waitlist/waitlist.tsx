import { JoinedCard } from "./joined-card.tsx";
import { SignUpForm } from "./sign-up-form.tsx";
import { StatsRow } from "./stats-row.tsx";
import { useJoin } from "./use-join.ts";

export function Waitlist() {
  const joining = useJoin();
  return (
    <section id="waitlist" className="grid scroll-mt-20 gap-6">
      <h2 className="text-3xl font-semibold">Waitlist</h2>
      {joining.state === "joined" ? <JoinedCard /> : <SignUpForm joining={joining} />}
      <StatsRow atLeast={joining.totals} />
    </section>
  );
}
