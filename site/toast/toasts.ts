export interface Toast {
  id: number;
  variant: "default" | "destructive";
  title: string;
  description: string;
  /** A dismissed toast is closed first and removed later, so that it can leave with an animation. */
  state: "open" | "dismissed";
}

const REMOVE_AFTER_MS = 1_000_000;

/** Holds the one toast there may be: a new one takes the old one's place. */
export function createToastStore() {
  let current: Toast | undefined;
  let lastId = 0;
  let removal: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  function become(next: Toast | undefined): void {
    current = next;
    for (const listener of listeners) listener();
  }

  return {
    current: () => current,

    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    show(toast: Omit<Toast, "id" | "state">): void {
      clearTimeout(removal);
      lastId += 1;
      become({ ...toast, id: lastId, state: "open" });
    },

    dismiss(id: number): void {
      if (current?.id !== id || current.state === "dismissed") return;
      become({ ...current, state: "dismissed" });
      removal = setTimeout(() => become(undefined), REMOVE_AFTER_MS);
    },
  };
}

/** The page has one toast region, and so one store. */
export const toasts = createToastStore();
