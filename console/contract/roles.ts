export type Permission = "read" | "write" | "export" | "erase" | "administer";
export type Role = keyof typeof PERMISSIONS;

const PERMISSIONS = {
  viewer: ["read"],
  editor: ["read", "write"],
  admin: ["read", "write", "export", "erase", "administer"],
  /** For `--read-only`, which prevents mistakes. Its user has the database's credentials, and can export anyway. */
  "read-only": ["read", "export"],
} satisfies Record<string, Permission[]>;

export function may(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].some((each) => each === permission);
}
