/** Preloaded into the console, whose provider has a name that only the test's browser can resolve. */
import dns from "node:dns";

const { lookup } = dns;
const patched = (name: string, ...rest: never[]) =>
  // @ts-expect-error: passes on whichever of the overloads' arguments there are
  lookup(name.endsWith(".test") ? "127.0.0.1" : name, ...rest);
dns.lookup = patched as unknown as typeof lookup;
