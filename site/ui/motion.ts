/** Whether animations run. The control in the footer sets it; CSS reads it from the root element, the backdrop here. */
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
