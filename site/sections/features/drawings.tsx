import type { ReactNode } from "react";

const COLUMNS = 9;
const ROWS = 5;
const x = (column: number) => 24 + column * 24;
const y = (row: number) => 16 + row * 20;

/** Draws dots as the round caps of zero-length lines, so that one element holds all of them. */
const dots = (at: [column: number, row: number][]) => at.map(([column, row]) => `M${x(column)} ${y(row)}h0`).join("");

const FIELD = dots(Array.from({ length: COLUMNS * ROWS }, (_, i) => [i % COLUMNS, Math.floor(i / COLUMNS)]));

/**
 * The frame of each feature's drawing, with the dots that all drawings share. drawings.css animates a drawing once.
 * Gray stands for the customer's systems, the accent color for the product's work.
 */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 240 112" className="drawing w-full" fill="none" aria-hidden="true">
      <path d={FIELD} className="dots" />
      {children}
    </svg>
  );
}

/** The brand's motif: a ring that closes in on a dot. */
function Found({ column, row }: { column: number; row: number }) {
  return (
    <>
      <circle cx={x(column)} cy={y(row)} r="3" className="dot-accent found" />
      <circle cx={x(column)} cy={y(row)} r="11" className="accent ring-in" />
    </>
  );
}

/** One dot among many doesn't belong. */
export function Detection() {
  return (
    <Drawing>
      <Found column={6} row={2} />
    </Drawing>
  );
}

/** A scan passes over every dot. */
export function Monitoring() {
  return (
    <Drawing>
      <path d={dots([3, 4].flatMap((column) => [0, 1, 2, 3, 4].map((row) => [column, row])))} className="dots strong" />
      <path d={`${dots([0, 1, 2, 3, 4].map((row) => [5, row]))}`} className="dots accent" />
      <path d={`M${x(5)} 4v104`} className="accent sweep" />
    </Drawing>
  );
}

/** Three checks on one path. */
export function ZeroTrust() {
  return (
    <Drawing>
      <path d={`M${x(0)} ${y(2)}H${x(8)}`} className="line faint" />
      {[2, 4, 6].map((column) => (
        <circle key={column} cx={x(column)} cy={y(2)} r="11" className="line" />
      ))}
      <circle cx={x(0)} cy={y(2)} r="4" className="dot-accent pass" />
    </Drawing>
  );
}

const heights = [1, 2, 1, 2, 3, 5, 3, 2, 2];
const column = (height: number, at: number) =>
  Array.from({ length: height }, (_, i): [number, number] => [at, ROWS - 1 - i]);

/** Columns of dots, with the highest one annotated. */
export function Analytics() {
  return (
    <Drawing>
      <path d={dots(heights.flatMap(column))} className="dots strong grow" />
      <path d={dots(column(5, 5))} className="dots accent grow" />
      <circle cx={x(5)} cy={y(0)} r="11" className="accent ring-in" />
    </Drawing>
  );
}

/** Three clouds, one set of rules. */
export function Cloud() {
  return (
    <Drawing>
      {[
        [0, 2],
        [3, 3],
        [7, 2],
      ].map(([left = 0, columns = 0]) => (
        <rect key={left} x={x(left) - 12} y={y(1) - 10} width={columns * 24} height="60" rx="10" className="line" />
      ))}
      <path d={`M${x(0)} ${y(2)}H${x(8)}`} pathLength="100" className="accent draw" />
      <path d={dots([0, 1, 3, 4, 5, 7, 8].map((at) => [at, 2]))} className="dots accent" />
    </Drawing>
  );
}

/** A line from the customer's case to the analyst who has it open. */
export function Support() {
  return (
    <Drawing>
      <circle cx={x(1)} cy={y(3)} r="11" className="line" />
      <path
        d={`M${x(1)} ${y(3) - 11}C${x(2)} ${y(0) - 12} ${x(5)} ${y(0) - 4} ${x(7) - 9} ${y(1) - 6}`}
        pathLength="100"
        className="accent draw"
      />
      <Found column={7} row={1} />
    </Drawing>
  );
}
