import type { Role } from "#console/contract/roles.ts";

/** Stated here again, so that a wrong permission in the route table fails. */
export function rolesFor({ method, url }: { method: string; url: string }): Role[] {
  if (url.startsWith("/api/exports")) return ["admin", "read-only"];
  if (/\/(erase|friends)$/.test(url) || /^\/api\/(sessions|webhooks|acceptance-secrets)/.test(url)) return ["admin"];
  return method === "POST" ? ["editor", "admin"] : ["viewer", "editor", "admin", "read-only"];
}
