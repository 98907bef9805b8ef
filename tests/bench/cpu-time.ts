import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { cpuTicks, endedChildrenTicks, treeCpuTicks } from "#tests/support/cpu-time.ts";
import { post } from "#tests/support/post.ts";
import { median } from "#tests/support/quantile.ts";
import { runPgbench } from "./bare-postgres.ts";
import { type Service, startBareRoute } from "./servers.ts";

const ROUNDS = 5;
const MAX_ATTEMPTS = 10;
const SECONDS = 4;
const CONNECTIONS = 64;
const WARM_UP_SIGN_UPS = 40_000;
/** A tick of /proc is a hundredth of a second. */
const TICK_US = 10_000;

interface Costs {
  signUps: number;
  failed: number;
  /** Each in microseconds of CPU time per sign-up. */
  serverUs: number;
  postgresUs: number;
  clientUs: number;
}

/**
 * CPU time per sign-up: the server's relative to a bare Fastify route's, PostgreSQL's relative to a bare commit's with
 * as many connections. Unlike throughput, it hardly depends on what else the machine does.
 */
export async function compareCpuTime({ postgres, ports, pids }: Service) {
  const [port = 0] = ports;
  const [pid = 0] = pids;
  const bare = await startBareRoute(await post(`http://127.0.0.1:${port}`));
  const barePort = Number(new URL(bare.origin).port);
  const measureOurs = () => signUp(port, pid, postgres.pid());
  const measureBare = () => signUp(barePort, bare.pid, postgres.pid());
  // V8 compiles the whole path only after tens of thousands of requests, and that takes as long as they do.
  for (const measure of [measureOurs, measureBare]) {
    for (let done = 0; done < WARM_UP_SIGN_UPS; ) done += (await measure()).signUps;
  }

  const rounds: { ours: Costs; bare: Costs; bareCommitUs: number }[] = [];
  for (let attempt = 0; rounds.length < ROUNDS && attempt < MAX_ATTEMPTS; attempt += 1) {
    const round = { ours: await measureOurs(), bare: await measureBare(), bareCommitUs: await bareCommit(postgres) };
    const { signUps, failed } = round.ours;
    if (failed === 0 && Number.isFinite(round.bareCommitUs)) rounds.push(round);
    else console.log(`A round isn't counted: ${failed} of ${signUps} sign-ups failed, or bare PostgreSQL stood still`);
  }
  await bare.stop();
  if (rounds.length === 0) return undefined;
  const table = {
    "server, of bare Fastify": spread(rounds.map(({ ours, bare }) => ours.serverUs / bare.serverUs)),
    "PostgreSQL, of a bare commit": spread(rounds.map(({ ours, bareCommitUs }) => ours.postgresUs / bareCommitUs)),
    "server µs": spread(rounds.map(({ ours }) => ours.serverUs)),
    "bare Fastify µs": spread(rounds.map(({ bare }) => bare.serverUs)),
    "PostgreSQL µs": spread(rounds.map(({ ours }) => ours.postgresUs)),
    "bare commit µs": spread(rounds.map(({ bareCommitUs }) => bareCommitUs)),
    "client µs": spread(rounds.map(({ ours }) => ours.clientUs)),
  };
  console.log(`CPU time per sign-up, ${CONNECTIONS} connections: medians of ${rounds.length} rounds`);
  console.table(table);
  return {
    serverRatio: table["server, of bare Fastify"].median,
    postgresRatio: table["PostgreSQL, of a bare commit"].median,
    ...table,
  };
}

function spread(values: number[]) {
  const rounded = (value: number) => Number(value.toFixed(2));
  return { median: rounded(median(values)), min: rounded(Math.min(...values)), max: rounded(Math.max(...values)) };
}

/** By wrk, which takes a tenth of the CPU time of a client in JavaScript. */
async function signUp(port: number, serverPid: number, postgresPid: number): Promise<Costs> {
  const before = { server: cpuTicks(serverPid), postgres: treeCpuTicks(postgresPid), client: endedChildrenTicks() };
  const { stdout } = await promisify(execFile)("wrk", [
    ...["-t1", `-c${CONNECTIONS}`, `-d${SECONDS}s`, "-s", "tests/bench/sign-ups.lua"],
    ...[`http://127.0.0.1:${port}${WAITLIST_PATH}`, "--", randomBytes(4).toString("hex")],
  ]);
  const { signUps, failed } = JSON.parse(stdout.slice(stdout.lastIndexOf("{")));
  const costUs = (ticks: number) => (ticks * TICK_US) / signUps;
  return {
    signUps,
    failed,
    serverUs: costUs(cpuTicks(serverPid) - before.server),
    postgresUs: costUs(treeCpuTicks(postgresPid) - before.postgres),
    clientUs: costUs(endedChildrenTicks() - before.client),
  };
}

async function bareCommit(postgres: Service["postgres"]): Promise<number> {
  const before = treeCpuTicks(postgres.pid());
  const { commits } = await runPgbench(postgres.url, CONNECTIONS, SECONDS);
  return ((treeCpuTicks(postgres.pid()) - before) * TICK_US) / commits;
}
