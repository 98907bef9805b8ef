import { spawnSync } from "node:child_process";

/** A long run that is started by its name. */
export interface NamedRun {
  name: string;
  what: string;
  minutes: number;
  /** A script of ours, or a program with its arguments. What the caller adds is passed on. */
  command: [string, ...string[]];
  env?: Record<string, string>;
  /** Whether it serves the built page. */
  needsBuild?: boolean;
}

/** Runs the one that the command line names; without a name it lists what there is. */
export function runNamed(script: string, runs: NamedRun[]): void {
  const [name, ...rest] = process.argv.slice(2);
  const run = runs.find((one) => one.name === name);
  if (!run) {
    if (name) console.error(`There is no ${script} called ${name}.\n`);
    console.log(listing(script, runs));
    process.exitCode = name ? 2 : 0;
    return;
  }
  const [program, ...args] = run.command;
  if (run.needsBuild && !succeeds("npm", ["run", "build"])) process.exitCode = 1;
  else if (!succeeds(...asProgram(program, [...args, ...rest]), run.env)) process.exitCode = 1;
}

function asProgram(program: string, args: string[]): [string, string[]] {
  return program.endsWith(".ts") ? [process.execPath, [program, ...args]] : [program, args];
}

function succeeds(program: string, args: string[], env: Record<string, string> = {}): boolean {
  return spawnSync(program, args, { stdio: "inherit", env: { ...process.env, ...env } }).status === 0;
}

function listing(script: string, runs: NamedRun[]): string {
  const width = Math.max(...runs.map(({ name }) => name.length));
  const lines = runs.map(({ name, what, minutes }) => {
    const takes = minutes < 1 ? "< 1 min" : `${minutes} min`;
    return `  ${name.padEnd(width)}  ${takes.padStart(7)}  ${what}`;
  });
  return [`Usage: npm run ${script} -- <name>\n`, ...lines].join("\n");
}
