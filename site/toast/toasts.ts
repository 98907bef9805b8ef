import { createStore } from "#site/ui/store.ts";

export interface Toast {
  id: number;
  variant: "default" | "destructive";
  title: string;
  description: string;
  /** A dismissed toast is removed after its exit animation. */
  state: "open" | "dismissed";
}

export const DURATION_MS = 5000;
export const FOCUS_KEY = "F8";
const REMOVE_AFTER_MS = 1_000_000;

/** Holds at most one toast: a new one replaces the current one. */
export function createToastStore() {
  const { current, set, subscribe } = createStore<Toast | undefined>(undefined);
  let lastId = 0;
  let removal: ReturnType<typeof setTimeout> | undefined;

  return {
    current,
    subscribe,

    show(toast: Omit<Toast, "id" | "state">): void {
      clearTimeout(removal);
      lastId += 1;
      set({ ...toast, id: lastId, state: "open" });
    },

    dismiss(id: number): void {
      const toast = current();
      if (toast?.id !== id || toast.state === "dismissed") return;
      set({ ...toast, state: "dismissed" });
      removal = setTimeout(() => set(undefined), REMOVE_AFTER_MS);
    },
  };
}

export const toasts = createToastStore();
