import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { useMe } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import type { Person } from "#console/contract/people.ts";
import { may } from "#console/contract/roles.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";

/** Who joined through someone's link, by domain, so that made-up friends stand out. */
export function PersonFriends({ person: { id, friends, friendDomains } }: { person: Person }) {
  const me = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const isVoid = friends === "void";
  if (friendDomains.length === 0 && !isVoid) return null;
  const domains = friendDomains.map(({ domain, joined, confirmed }) => [
    domain,
    `${formatNumber(joined)} joined, ${formatNumber(confirmed)} confirmed`,
  ]);
  return (
    <>
      <h3>Friends</h3>
      <p>
        {friends === "void" ? "Voided: they don't count." : `${pluralize(friends, "friend")} counted at midnight UTC.`}
      </p>
      <KeyValueList className="split" values={Object.fromEntries(domains)} />
      {me.data && may(me.data.role, "erase") && (
        <div className="actions">
          <Button onClick={() => setIsOpen(true)}>{isVoid ? "Count friends again…" : "Void friends…"}</Button>
        </div>
      )}
      {isOpen && (
        <ChangeDialog
          title={isVoid ? "Count these friends again?" : "Void these friends?"}
          action={isVoid ? "Count" : "Void"}
          change={() => post(`/api/people/${id}/friends`, { isVoid: !isVoid })}
          onClose={() => setIsOpen(false)}
        >
          <p>
            {isVoid
              ? "Everyone who joined through the link and confirmed counts again from midnight UTC."
              : "Nobody who joins through this link moves its owner up, now or later. Their page says so. The friends keep their own places."}
          </p>
        </ChangeDialog>
      )}
    </>
  );
}
