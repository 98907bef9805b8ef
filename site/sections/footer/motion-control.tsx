import { Pause, Play } from "lucide-react";
import { useSyncExternalStore } from "react";
import * as content from "#brand/content.ts";
import { motion } from "#site/ui/motion.ts";

export function MotionControl() {
  const state = useSyncExternalStore(motion.subscribe, motion.current, () => "running");
  const moving = state === "running";
  const Icon = moving ? Pause : Play;
  return (
    <button type="button" className="footer-link gap-2" onClick={() => motion.set(moving ? "paused" : "running")}>
      <Icon className="size-4" aria-hidden />
      {/* In an element, because a browser's translation replaces the text, and React can't insert before lost text. */}
      <span>{moving ? content.pauseMotion : content.resumeMotion}</span>
    </button>
  );
}
