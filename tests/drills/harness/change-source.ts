/** Preloaded by negative controls: changes the product's files as they load, without touching the repository. */
import { registerHooks } from "node:module";
import { matcher, occurrences } from "./fragment.ts";

/** `find` must occur once in the file, in any formatting. Otherwise the program fails, so no control runs unchanged. */
export type Change = [file: string, find: string, replace: string];

/** The environment of a program that runs with these changes. */
export function withChanges(env: Record<string, string>, changes: Change[] = []): Record<string, string> {
  if (changes.length === 0) return env;
  const options = `${env.NODE_OPTIONS ?? ""} --import=${import.meta.url}`;
  return { ...env, NODE_OPTIONS: options, SOURCE_CHANGES: JSON.stringify(changes) };
}

const changes: Change[] = JSON.parse(process.env.SOURCE_CHANGES ?? "[]");
if (changes.length > 0) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = changes.filter(([file]) => url.endsWith(`/${file}`));
      if (own.length === 0) return loaded;
      let source = String(loaded.source);
      for (const [file, find, replace] of own) {
        if (occurrences(source, find) !== 1) throw new Error(`${file} must contain this once: ${find}`);
        source = source.replace(matcher(find), () => replace);
      }
      return { ...loaded, source };
    },
  });
}
