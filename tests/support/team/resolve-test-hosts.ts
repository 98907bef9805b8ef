/** Preloaded into the console, whose provider has a name that only the test's browser can resolve. */
import dns from "node:dns";

const { lookup } = dns;
const patched = (name: string, ...rest: never[]) =>
  // @ts-expect-error: TypeScript can't match `rest` to a single overload
  lookup(name.endsWith(".test") ? "127.0.0.1" : name, ...rest);
dns.lookup = patched as unknown as typeof lookup;
