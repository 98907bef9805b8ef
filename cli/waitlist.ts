#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// Compiling takes half of a command's start-up time. The cache is in the operator's home folder, because anyone could
// put code into one in /tmp.
enableCompileCache(join(homedir(), ".cache", "waitlist"));
const { run } = await import("./run.ts");
await run();
