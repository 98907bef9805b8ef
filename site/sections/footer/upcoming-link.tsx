import * as content from "#brand/content.ts";
import { toasts } from "#site/toast/toasts.ts";
import { visitor } from "#site/ui/visitor.ts";

/** A link to a page that opens at launch. Clicking it shows a toast that says so. */
export function UpcomingLink({ label, href }: { label: string; href: string }) {
  return (
    <a
      href={href}
      className="footer-link"
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        toasts.show({
          variant: "default",
          title: `${content.upcoming} ${label}`,
          description: visitor.state === "joined" ? content.upcomingIfJoined : content.upcomingOtherwise,
        });
      }}
    >
      {label}
    </a>
  );
}
