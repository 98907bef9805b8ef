/** Whether animations run, as set by the control in the footer. CSS reads it from the root element, WebGL from here. */
export type Motion = "running" | "paused";

let current: Motion = "running";
const listeners = new Set<() => void>();

export const motion = {
  current: (): Motion => current,

  set(next: Motion): void {
    current = next;
    document.documentElement.dataset.motion = next;
    for (const listener of listeners) listener();
  },

  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
