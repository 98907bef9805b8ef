/** `__Host-` keeps other hosts of the domain from setting or reading these cookies. */
export const SESSION_COOKIE = "__Host-farwatch-session";
export const PENDING_COOKIE = "__Host-farwatch-sign-in-";

export function readCookies(header = ""): Map<string, string> {
  const pairs = header.split(/; */).map((pair) => pair.split(/=(.*)/s));
  return new Map(pairs.map(([name = "", value = ""]) => [name, value]));
}

/** Lax, because the provider's redirect to the callback is cross-site. */
export function cookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; Secure; HttpOnly; SameSite=Lax`;
}

export const expired = (name: string) => cookie(name, "", 0);
