/** Each view has a URL; links within the page change it without a reload. */
import { type ComponentProps, type MouseEvent, useSyncExternalStore } from "react";

const CHANGED = "locationchange";

export function navigate(url: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  dispatchEvent(new Event(CHANGED));
}

export function useView(): { path: string; query: string } {
  const url = useSyncExternalStore(subscribe, () => location.pathname + location.search);
  const [path = "", query = ""] = url.split("?");
  return { path, query };
}

function subscribe(onChange: () => void): () => void {
  const events = [CHANGED, "popstate"];
  for (const event of events) addEventListener(event, onChange);
  return () => {
    for (const event of events) removeEventListener(event, onChange);
  };
}

export function Link({ href, ...props }: ComponentProps<"a"> & { href: string }) {
  const open = (event: MouseEvent) => {
    // Leaves new tabs and windows to the browser.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={open} {...props} />;
}
