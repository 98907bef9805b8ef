import type { ComponentProps } from "react";
import { Link } from "#console/app/http/location.tsx";

/** Submits no form, unlike the browser's own. */
export function Button(props: ComponentProps<"button">) {
  return <button type="button" {...props} />;
}

export function ButtonLink(props: ComponentProps<typeof Link>) {
  return <Link className="button" {...props} />;
}
