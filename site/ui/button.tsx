import type { ComponentProps } from "react";

type Look = { look: "primary" | "quiet" };

export function Button({ look, ...button }: ComponentProps<"button"> & Look) {
  return <button className={`button button-${look}`} {...button} />;
}

export function ButtonLink({ look, ...link }: ComponentProps<"a"> & Look) {
  return <a className={`button button-${look}`} {...link} />;
}
