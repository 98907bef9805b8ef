import { createStore } from "./store.ts";

/** Whether animations run, as set by the control in the footer. CSS reads it from the root element, WebGL from here. */
export const motion = createStore<"running" | "paused">("running");
motion.subscribe(() => {
  document.documentElement.dataset.motion = motion.current();
});

export type Motion = typeof motion;
