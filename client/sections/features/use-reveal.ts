import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Lets the children of a list come in as they are scrolled to. Only those below the fold are hidden first, and only here:
 * without JavaScript, and for what a visitor already sees, nothing waits.
 */
export function useReveal(): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const below = [...(list.current?.children ?? [])].filter(
      (child) => child instanceof HTMLElement && child.getBoundingClientRect().top >= innerHeight,
    ) as HTMLElement[];
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        (target as HTMLElement).dataset.reveal = "shown";
        observer.unobserve(target);
      }
    });
    for (const child of below) {
      child.dataset.reveal = "waiting";
      observer.observe(child);
    }
    return () => {
      observer.disconnect();
      for (const child of below) delete child.dataset.reveal;
    };
  }, []);
  return list;
}
