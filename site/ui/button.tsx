import type { ComponentProps } from "react";

const LOOK = {
  primary:
    "border border-transparent bg-linear-to-r bg-origin-border from-accent to-accent-far text-ground hover:brightness-110",
  quiet: "border border-line-strong bg-surface text-text hover:bg-surface-strong",
};

type Look = { look: keyof typeof LOOK };

function classes(look: keyof typeof LOOK, more = ""): string {
  return `inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-5 font-medium transition ${LOOK[look]} ${more}`;
}

export function Button({ look, className, ...button }: ComponentProps<"button"> & Look) {
  return <button className={classes(look, className)} {...button} />;
}

export function ButtonLink({ look, className, ...link }: ComponentProps<"a"> & Look) {
  return <a className={classes(look, className)} {...link} />;
}
