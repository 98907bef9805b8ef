import { spawnSync } from "node:child_process";

/** A drill or benchmark that is started by name. */
export interface NamedRun {
  name: string;
  description: string;
  minutes: number;
  /**
   * A script or program with its arguments, to which the command line's are appended; or a function that takes the
   * command line's arguments.
   */
  command: [string, ...string[]] | ((args: string[]) => Promise<void>);
  /** Whether it needs the built page in dist/. */
  needsBuild?: boolean;
}

/** Runs the entry named on the command line, or lists all entries if there is no name. */
export async function runNamed(script: string, runs: NamedRun[]): Promise<void> {
  const [name, ...rest] = process.argv.slice(2);
  const run = runs.find((candidate) => candidate.name === name);
  if (!run) {
    if (name) console.error(`Unknown ${script}: ${name}\n`);
    console.log(listing(script, runs));
    process.exitCode = name ? 2 : 0;
    return;
  }
  const { command, needsBuild } = run;
  if (needsBuild && !succeeds("npm", ["run", "build"])) process.exitCode = 1;
  else if (typeof command === "function") await command(rest);
  else if (!succeeds(...asProgram(command, rest))) process.exitCode = 1;
}

function asProgram([program, ...args]: [string, ...string[]], rest: string[]): [string, string[]] {
  return program.endsWith(".ts") ? [process.execPath, [program, ...args, ...rest]] : [program, [...args, ...rest]];
}

function succeeds(program: string, args: string[]): boolean {
  return spawnSync(program, args, { stdio: "inherit" }).status === 0;
}

function listing(script: string, runs: NamedRun[]): string {
  const width = Math.max(...runs.map(({ name }) => name.length));
  const lines = runs.map(({ name, description, minutes }) => {
    const duration = minutes < 1 ? "< 1 min" : `${minutes} min`;
    return `  ${name.padEnd(width)}  ${duration.padStart(7)}  ${description}`;
  });
  return [`Usage: npm run ${script} -- <name>\n`, ...lines].join("\n");
}
