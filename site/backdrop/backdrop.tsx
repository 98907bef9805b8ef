import { useEffect, useRef, useState } from "react";
import { whenIdle } from "#site/ui/when-idle.ts";

type Mode = "graphics" | "fallback";

export function Backdrop() {
  const parent = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<Mode>("graphics");

  useEffect(() => {
    let stop = () => {};
    let isUnmounted = false;
    function fallBack(reason: unknown): void {
      // biome-ignore lint/suspicious/noConsole: the specification asks for this warning
      console.warn("Backdrop: drawing the gradient instead of lines.", reason);
      setMode("fallback");
      stop();
    }
    const cancel = whenIdle(async () => {
      try {
        const { startLines } = await import("./start.ts");
        if (isUnmounted || !parent.current) return;
        stop = await startLines(parent.current, fallBack);
        if (isUnmounted) stop();
      } catch (reason) {
        fallBack(reason);
      }
    });
    return () => {
      isUnmounted = true;
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
