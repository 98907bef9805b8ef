/** Each view has a URL; links within the page change it without a reload. */
import { type ComponentProps, type MouseEvent, useSyncExternalStore } from "react";

export function navigate(url: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  // Browsers dispatch popstate only when someone goes back or forward.
  dispatchEvent(new PopStateEvent("popstate"));
}

export function useView(): { path: string; query: string } {
  const url = useSyncExternalStore(subscribe, () => location.pathname + location.search);
  const [path = "", query = ""] = url.split("?");
  return { path, query };
}

function subscribe(onChange: () => void): () => void {
  addEventListener("popstate", onChange);
  return () => removeEventListener("popstate", onChange);
}

/** The parameters in the view's URL. An empty value removes its parameter. */
export function useParameters() {
  const values = new URLSearchParams(useView().query);
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(location.search);
    if (value) next.set(name, value);
    else next.delete(name);
    navigate(`?${next}`, { replace: true });
  };
  return { values, change };
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
