/** Measures two versions' sign-ups in turns, because on a shared machine only ratios within a run are meaningful. */
import { cpuTicks, treeCpuTicks } from "#tests/support/cpu-time.ts";
import { forSeconds, runLoad } from "#tests/support/load.ts";
import { median } from "#tests/support/quantile.ts";
import { uniqueSignUps } from "#tests/support/requests.ts";

const TURNS = 12;
const SECONDS = 0.8;

export interface Version {
  port: number;
  serverPid: number;
  postgresPid: number;
}

export interface Ratios {
  throughput: number;
  serverCpu: number;
  postgresCpu: number;
}

const next = uniqueSignUps(() => {});

/** Lets V8 optimize the code first, because earlier results say nothing about a launch day. */
export async function warmUp(versions: Version[]): Promise<void> {
  for (const version of [...versions, ...versions]) await measure(version, 64, 4);
}

async function measure({ port, serverPid, postgresPid }: Version, connections: number, seconds: number) {
  const [serverCpu, postgresCpu] = [cpuTicks(serverPid), treeCpuTicks(postgresPid)];
  const { perSecond, statuses } = await runLoad({ ports: [port], connections, next: forSeconds(seconds, next) });
  const signUps = statuses.get(201) ?? 0;
  if (statuses.size !== 1 || signUps === 0) throw new Error(`Not only 201: ${[...statuses].join("; ")}`);
  return {
    throughput: perSecond,
    serverCpu: (cpuTicks(serverPid) - serverCpu) / signUps,
    postgresCpu: (treeCpuTicks(postgresPid) - postgresCpu) / signUps,
  };
}

/** The results of `after` relative to those of `before`, as medians of each turn's ratios. */
export async function compareInTurns(before: Version, after: Version, connections: number): Promise<Ratios> {
  const ratios = { throughput: [] as number[], serverCpu: [] as number[], postgresCpu: [] as number[] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const results = new Map<Version, Ratios>();
    for (const version of turn % 2 ? [before, after] : [after, before]) {
      results.set(version, await measure(version, connections, SECONDS));
    }
    for (const key of ["throughput", "serverCpu", "postgresCpu"] as const) {
      ratios[key].push((results.get(after)?.[key] ?? 0) / (results.get(before)?.[key] ?? 0));
    }
  }
  return {
    throughput: median(ratios.throughput),
    serverCpu: median(ratios.serverCpu),
    postgresCpu: median(ratios.postgresCpu),
  };
}
