export type Permission = "read" | "write" | "export" | "erase";
export type Role = keyof typeof PERMISSIONS;

const PERMISSIONS = {
  viewer: ["read"],
  editor: ["read", "write"],
  admin: ["read", "write", "export", "erase"],
  /** For `--read-only`, which prevents mistakes. Includes export, because its user has the database's credentials. */
  "read-only": ["read", "export"],
} satisfies Record<string, Permission[]>;

export function may(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].some((each) => each === permission);
}
