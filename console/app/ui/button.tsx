import type { ComponentProps } from "react";
import { Link } from "#console/app/http/location.tsx";

/** Unlike the browser's own button, submits no form. */
export function Button(props: ComponentProps<"button">) {
  return <button type="button" {...props} />;
}

export function ButtonLink(props: ComponentProps<typeof Link>) {
  return <Link className="button" {...props} />;
}
