import { readFileSync } from "node:fs";
import { StartupError } from "./startup-error.ts";

/** Reads settings from files: SECRET_FILE=/run/secrets/secret names the file with SECRET. Works for every setting. */
export function readSettingFiles(settings: string[], env: NodeJS.ProcessEnv): Record<string, string> {
  const names = settings.filter((name) => env[`${name}_FILE`]);
  return Object.fromEntries(names.map((name) => [name, readFile(`${name}_FILE`, env[`${name}_FILE`] ?? "")]));
}

function readFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    throw new StartupError(`${name} names ${path}, which can't be read.`);
  }
}
