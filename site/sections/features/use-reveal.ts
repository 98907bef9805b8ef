import { type RefObject, useEffect, useRef } from "react";

/**
 * Reveals the children of a list as they are scrolled into view. This script hides those below the fold, so that
 * without JavaScript all stay visible; those above appear on load. Positions come from the observer, because
 * measuring them would force a synchronous layout.
 */
export function useReveal(): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const children = [...(list.current?.children ?? [])] as HTMLElement[];
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target, boundingClientRect } of entries) {
        const { dataset } = target as HTMLElement;
        if (isIntersecting && dataset.reveal === "waiting") dataset.reveal = "shown";
        else if (!isIntersecting && boundingClientRect.top > 0 && !dataset.reveal) dataset.reveal = "waiting";
        if (!isIntersecting) continue;
        observer.unobserve(target);
        if (matchMedia("(hover: none)").matches) dataset.play = "";
      }
    });
    for (const child of children) observer.observe(child);
    return () => {
      observer.disconnect();
      for (const { dataset } of children) delete dataset.reveal;
    };
  }, []);
  return list;
}
