import { type RefObject, useEffect, useRef } from "react";

/**
 * Lets the children of a list come in as they are scrolled to. Only those below the fold are hidden first, and only here:
 * without JavaScript, and for what a visitor already sees, nothing waits. The observer is told where things are, because
 * asking would make the browser lay out the page at once.
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
        if (isIntersecting) observer.unobserve(target);
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
