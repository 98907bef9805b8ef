import { Menu, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import * as content from "#brand/content.ts";
import { BrandLink } from "#site/ui/brand-mark.tsx";
import { ButtonLink } from "#site/ui/button.tsx";

type MenuState = "open" | "closed";

/**
 * One list of links: a row on wide screens, a popover on small ones. The popover opens without JavaScript, and the
 * browser closes it on Escape and on a tap outside.
 */
export function NavBar() {
  const [menu, setMenu] = useState<MenuState>("closed");
  const toggle = useRef<HTMLButtonElement>(null);
  const links = useRef<HTMLDivElement>(null);
  const close = () => links.current?.hidePopover();

  useEffect(() => {
    // The menu may have been opened before hydration.
    if (links.current?.matches(":popover-open")) setMenu("open");
    // Otherwise, a menu that is open when the window gets wide would stay above its own row of links.
    const isWide = matchMedia("(width >= 48rem)");
    isWide.addEventListener("change", close);
    return () => isWide.removeEventListener("change", close);
  }, []);

  /** While the menu is open, Tab wraps from its last link to the toggle, and Shift+Tab back. */
  function trapFocus(event: KeyboardEvent) {
    if (event.key !== "Tab" || !links.current?.matches(":popover-open")) return;
    const last = links.current.querySelector<HTMLElement>("a:last-of-type");
    const from = event.shiftKey ? toggle.current : last;
    const to = event.shiftKey ? last : toggle.current;
    if (event.target !== from) return;
    event.preventDefault();
    to?.focus();
  }

  return (
    <header className="nav-bar fixed inset-x-0 top-0 z-40">
      <nav aria-label="Main" className="page flex h-16 items-center justify-between" onKeyDown={trapFocus}>
        <BrandLink />
        <button
          ref={toggle}
          type="button"
          popoverTarget="menu"
          aria-expanded={menu === "open"}
          aria-label={menu === "open" ? content.closeMenu : content.openMenu}
          className="-mr-2.5 grid size-11 place-items-center rounded-control md:hidden"
        >
          {menu === "open" ? <X aria-hidden /> : <Menu aria-hidden />}
        </button>
        <div
          ref={links}
          id="menu"
          popover="auto"
          onToggle={({ newState }) => {
            setMenu(newState);
            if (newState === "closed" && links.current?.contains(document.activeElement)) toggle.current?.focus();
          }}
          className="menu"
        >
          {Object.entries(content.navLinks).map(([label, href]) => (
            <a key={label} href={href} onClick={close} className="menu-link flex items-center">
              {label}
            </a>
          ))}
          <ButtonLink look="quiet" href="#waitlist" onClick={close}>
            {content.navButton}
          </ButtonLink>
        </div>
      </nav>
    </header>
  );
}
