export interface Toast {
  id: number;
  variant: "default" | "destructive";
  title: string;
  description: string;
  /** A dismissed toast is removed later, after its exit animation. */
  state: "open" | "dismissed";
}

export const DURATION_MS = 5000;
const REMOVE_AFTER_MS = 1_000_000;

/** Holds at most one toast: a new one replaces the current one. */
export function createToastStore() {
  let current: Toast | undefined;
  let lastId = 0;
  let removal: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  function update(next: Toast | undefined): void {
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
      update({ ...toast, id: lastId, state: "open" });
    },

    dismiss(id: number): void {
      if (current?.id !== id || current.state === "dismissed") return;
      update({ ...current, state: "dismissed" });
      removal = setTimeout(() => update(undefined), REMOVE_AFTER_MS);
    },
  };
}

export const toasts = createToastStore();
