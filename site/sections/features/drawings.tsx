import type { ReactNode } from "react";

/**
 * A small drawing for each feature, in one line weight, animated once (drawings.css). Gray is the customer's systems,
 * the accent color is what the product does: it is drawn over a gray copy, so that nothing is missing while it moves.
 */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 240 112" className="drawing" fill="none" aria-hidden="true">
      {children}
    </svg>
  );
}

const dots = Array.from({ length: 9 * 5 }, (_, i) => ({ x: 24 + (i % 9) * 24, y: 16 + Math.floor(i / 9) * 20 }));
const FOUND = 24;

/** A field of dots, one of them detected and ringed. */
export function Detection() {
  return (
    <Drawing>
      {dots.map(({ x, y }, i) => (
        <circle
          key={`${x} ${y}`}
          cx={x}
          cy={y}
          r={i === FOUND ? 3 : 1.5}
          className={i === FOUND ? "dot-accent found" : "dot"}
        />
      ))}
      <circle cx={dots[FOUND]?.x} cy={dots[FOUND]?.y} r="11" className="accent ring-in" />
    </Drawing>
  );
}

const PULSE = "M12 60h58l8-10 9 10h17l9-38 13 66 10-28h16l7-8 7 8h62";

/** A pulse that runs along a line. */
export function Monitoring() {
  return (
    <Drawing>
      <path d={PULSE} className="line" />
      <path d={PULSE} pathLength="100" className="accent run" />
    </Drawing>
  );
}

/** Three gates, each with its own check. */
export function ZeroTrust() {
  return (
    <Drawing>
      <path d="M16 56h208" className="line faint" />
      {[72, 128, 184].map((x) => (
        <g key={x}>
          <path d={`M${x} 16v28M${x} 68v28`} className="line" />
          <circle cx={x} cy="56" r="8" className="line" />
        </g>
      ))}
      <circle cx="32" cy="56" r="4" className="dot-accent pass" />
    </Drawing>
  );
}

const bars = [22, 34, 28, 42, 38, 74, 46, 40, 52];

/** A row of bars, one of them highlighted. */
export function Analytics() {
  return (
    <Drawing>
      <path d="M20 96h200" className="line faint" />
      <path d={bars.map((height, i) => `M${28 + i * 23} 96v-${height}`).join("")} className="line" />
      <path d="M143 96v-74" className="accent grow" />
      <circle cx="143" cy="14" r="3" className="dot-accent" />
    </Drawing>
  );
}

const CLOUD = "M78 94h90a27 27 0 0 0 5-53.5A42 42 0 0 0 93 34a31 31 0 0 0-15 60Z";

/** Workloads of several clouds inside one outline. */
export function Cloud() {
  return (
    <Drawing>
      <path d={CLOUD} className="line" />
      <path d={CLOUD} pathLength="100" className="accent draw" />
      <rect x="86" y="60" width="16" height="16" rx="3" className="line" />
      <rect x="116" y="44" width="16" height="16" rx="3" className="line" />
      <rect x="146" y="62" width="16" height="16" rx="3" className="line" />
      <path d="M102 66l14-8M132 56l14 9" className="line" />
    </Drawing>
  );
}

const REPLY = "M112 56h84a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8h-2v10l-12-10h-70a8 8 0 0 1-8-8V64a8 8 0 0 1 8-8Z";

/** A question, and the reply. */
export function Support() {
  return (
    <Drawing>
      <path
        d="M44 14h84a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8H58l-12 10V48h-2a8 8 0 0 1-8-8V22a8 8 0 0 1 8-8Z"
        className="line"
      />
      <path d="M52 27h62M52 36h38" className="line" />
      <path d={REPLY} className="line" />
      <path d={REPLY} pathLength="100" className="accent draw" />
      <path d="M120 69h62M120 78h44" className="accent" />
    </Drawing>
  );
}
