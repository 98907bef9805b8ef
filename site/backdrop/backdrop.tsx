import { useEffect, useRef, useState } from "react";
import { whenIdle } from "#site/ui/when-idle.ts";

type Mode = "graphics" | "fallback";

/** The full-screen layer behind the page: WebGL lines, or a gradient where there can be none. */
export function Backdrop() {
  const holder = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<Mode>("graphics");

  useEffect(() => {
    let stop = () => {};
    let left = false;
    function fallBack(reason: unknown): void {
      // biome-ignore lint/suspicious/noConsole: the console is where the specification wants this said
      console.warn("Backdrop: drawing the gradient instead of lines.", reason);
      setMode("fallback");
      stop();
    }
    const cancel = whenIdle(async () => {
      try {
        const { startLines } = await import("./start.ts");
        if (left || !holder.current) return;
        stop = await startLines(holder.current, fallBack);
        if (left) stop();
      } catch (reason) {
        fallBack(reason);
      }
    });
    return () => {
      left = true;
      cancel();
      stop();
    };
  }, []);

  return (
    <div ref={holder} className="backdrop" data-mode={mode} aria-hidden="true">
      {mode === "fallback" && (
        <>
          <div className="backdrop-circle" />
          <div className="backdrop-circle" />
          <div className="backdrop-circle" />
        </>
      )}
    </div>
  );
}
