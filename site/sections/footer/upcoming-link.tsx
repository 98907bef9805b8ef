import { toasts } from "#site/toast/toasts.ts";

/** A link to something that opens at launch; clicking it says so. */
export function UpcomingLink({ label, href }: { label: string; href: string }) {
  return (
    <a
      href={href}
      className="footer-link"
      onClick={(event) => {
        event.preventDefault();
        toasts.show({
          variant: "default",
          title: `${label} opens with the launch`,
          description: "Join the waitlist and you'll be among the first to see it.",
        });
      }}
    >
      {label}
    </a>
  );
}
