import { rollingDeploy } from "./deploy.ts";
import { fillDisk } from "./disk.ts";
import { exhaustConnections, freezePostgres, killPostgres, slowPostgres, stopPostgres } from "./postgres.ts";
import { overload, slowConnections } from "./pressure.ts";
import { freezeRedis, killRedis } from "./redis.ts";
import { killServers } from "./servers.ts";
import { cancelWaits, failOver } from "./standby.ts";

export const faults = [
  killPostgres,
  killServers,
  stopPostgres,
  slowPostgres,
  freezePostgres,
  exhaustConnections,
  fillDisk,
  failOver,
  cancelWaits,
  killRedis,
  freezeRedis,
  rollingDeploy,
  overload,
  slowConnections,
];
