import { rollingDeploy } from "./deploy.ts";
import { fillDisk } from "./disk.ts";
import { exhaustConnections, freezePostgres, killPostgres, stopPostgres } from "./postgres.ts";
import { overload, slowConnections } from "./pressure.ts";
import { killServers } from "./servers.ts";
import { failOver } from "./standby.ts";

export const faults = [
  killPostgres,
  killServers,
  stopPostgres,
  freezePostgres,
  exhaustConnections,
  fillDisk,
  failOver,
  rollingDeploy,
  overload,
  slowConnections,
];
