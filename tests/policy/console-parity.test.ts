import { readFileSync } from "node:fs";
import type { Command } from "commander";
import fastify, { type RouteOptions } from "fastify";
import { expect, test } from "vitest";
import { createProgram } from "#cli/program.ts";
import { ROUTES } from "#console/api/app.ts";
import type { ConsoleParts } from "#console/http/parts.ts";

const rows = readFileSync("docs/console.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(2)
  .map((line) => {
    const [, , commandLine = "", consoleCell = ""] = line.split("|").map((cell) => cell.trim());
    const commands = codes(commandLine);
    const routes = codes(consoleCell).filter((code) => /^[A-Z]+ \/api\//.test(code));
    return { commands, routes };
  });

function codes(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

/** The paths of all runnable commands. Of commands with subcommands, only `console` is runnable. */
function readCommands(command: Command, path: string[] = []): string[] {
  const isRun = command.commands.length === 0 || command.name() === "console";
  return [
    ...(isRun ? [path.join(" ")] : []),
    ...command.commands.flatMap((each) => readCommands(each, [...path, each.name()])),
  ];
}

async function readRoutes(): Promise<string[]> {
  const app = fastify({ exposeHeadRoutes: false });
  const found: string[] = [];
  app.addHook("onRoute", ({ method, url }: RouteOptions) => {
    found.push(`${method} ${url}`);
  });
  for (const routes of ROUTES) await app.register(routes, {} as ConsoleParts);
  return found;
}

test("docs/console.md lists every command once", () => {
  expect(rows.flatMap(({ commands }) => commands).sort()).toEqual(readCommands(createProgram()).sort());
});

test("docs/console.md lists every route of the console that changes something, and none that doesn't exist", async () => {
  const listed = rows.flatMap(({ routes }) => routes);
  const existing = await readRoutes();
  expect(listed.filter((route) => !existing.includes(route))).toEqual([]);
  expect(existing.filter((route) => !route.startsWith("GET ") && !listed.includes(route))).toEqual([]);
});
