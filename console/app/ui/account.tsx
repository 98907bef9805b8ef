import { useMutation } from "@tanstack/react-query";
import { CircleUser } from "lucide-react";
import { post } from "#console/app/http/request.ts";
import { isTeam } from "#console/app/http/session.ts";
import type { Me } from "#console/contract/operators.ts";
import { may } from "#console/contract/roles.ts";
import { Button } from "./button.tsx";

export function Account({ me: { operator, role } }: { me: Me }) {
  if (isTeam()) return <AccountMenu operator={operator} role={role} />;
  return (
    <p className="operator">
      <span className="name">{operator}</span>
      {!may(role, "write") && <span className="chip">read-only</span>}
    </p>
  );
}

/** A menu, because on a phone there is room for only one more button. */
function AccountMenu({ operator, role }: Pick<Me, "operator" | "role">) {
  const signOut = useMutation({
    mutationFn: () => post<{ location: string }>("/api/sign-out"),
    onSuccess: ({ location: next }) => {
      // The next person at this computer must not see unsaved text.
      localStorage.clear();
      location.assign(next);
    },
  });
  return (
    <>
      <Button className="account" popoverTarget="account" aria-label={`Account: ${operator}`}>
        <CircleUser size={16} aria-hidden />
        <span className="name">{operator}</span>
      </Button>
      <div id="account" popover="auto">
        <p>{operator}</p>
        <p className="quiet">Role: {role}</p>
        <div className="actions">
          <Button disabled={signOut.isPending} onClick={() => signOut.mutate()}>
            Sign out
          </Button>
        </div>
        {signOut.error && <p role="alert">{signOut.error.message}</p>}
      </div>
    </>
  );
}
