#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// Caches compiled code, because compiling takes half of a command's start-up time. The cache is in the operator's home
// folder, because anyone could put code into a cache in /tmp.
enableCompileCache(join(homedir(), ".cache", "waitlist"));
const { run } = await import("./run.ts");
await run();
