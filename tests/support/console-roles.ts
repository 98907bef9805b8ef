import type { Role } from "#console/contract/roles.ts";

/** Repeats the route table's permissions, so that an error in the table fails a test. */
export function rolesFor({ method, url }: { method: string; url: string }): Role[] {
  if (url.startsWith("/api/exports")) return ["admin", "read-only"];
  if (/\/(erase|friends)$/.test(url) || /^\/api\/(sessions|webhooks|acceptance-secrets)/.test(url)) return ["admin"];
  return method === "POST" ? ["editor", "admin"] : ["viewer", "editor", "admin", "read-only"];
}
