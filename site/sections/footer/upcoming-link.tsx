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
          title: `Coming at launch: ${label}`,
          description:
            visitor.state === "joined"
              ? "You're on the waitlist. We'll be in touch with early access information."
              : "Join the waitlist for early access.",
        });
      }}
    >
      {label}
    </a>
  );
}
