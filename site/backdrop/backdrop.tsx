import { useEffect, useRef, useState } from "react";
import { motion } from "#site/ui/motion.ts";
import { whenIdle } from "#site/ui/when-idle.ts";

/** The timeout for loading scripts, not for starting WebGL, which can take this long on a busy machine. */
const MAX_LOAD_MS = 10_000;

type Mode = "graphics" | "fallback";

export function Backdrop() {
  const parent = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<Mode>("graphics");

  useEffect(() => {
    let stop = () => {};
    let isOver = false;
    function fallBack(reason: unknown): void {
      if (isOver) return;
      isOver = true;
      // biome-ignore lint/suspicious/noConsole: the specification asks for this warning
      console.warn("Backdrop: drawing the gradient instead of lines.", reason);
      setMode("fallback");
      stop();
    }
    const cancel = whenIdle(async () => {
      const timer = setTimeout(fallBack, MAX_LOAD_MS, "Its scripts took too long to load");
      try {
        const { startLines } = await import("./start.ts");
        if (isOver || !parent.current) return;
        stop = await startLines(parent.current, motion, { onFailed: fallBack, onLoaded: () => clearTimeout(timer) });
        if (isOver) stop();
      } catch (reason) {
        fallBack(reason);
      }
    });
    return () => {
      isOver = true;
      cancel();
      stop();
    };
  }, []);

  return (
    <div ref={parent} className="backdrop" data-mode={mode} aria-hidden="true">
      {mode === "fallback" && (
        <>
          <div className="backdrop-circle" />
          <div className="backdrop-circle" />
          <div className="backdrop-circle" />
        </>
      )}
      <div className="backdrop-grid" />
      <div className="horizon">
        <div className="sighting">
          <div className="sighting-field" />
          <div className="sighting-ring" />
          <div className="sighting-dot" />
        </div>
      </div>
    </div>
  );
}
