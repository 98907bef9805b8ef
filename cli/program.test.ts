import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "./program.ts";

const TERMINAL_WIDTH = 80;

/** The help of a command and all its subcommands, as `--help` prints it. */
function readHelp(command: Command, path = command.name()): { path: string; text: string }[] {
  let text = "";
  const writeOut = (part: string) => {
    text += part;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => TERMINAL_WIDTH }).outputHelp();
  return [{ path, text }, ...command.commands.flatMap((child) => readHelp(child, `${path} ${child.name()}`))];
}

/** The command that an example such as "npx waitlist mail retry" runs. */
function findCommand(example: string): Command {
  return example
    .split(" ")
    .reduce((parent, word) => parent.commands.find((child) => child.name() === word) ?? parent, createProgram());
}

const helpTexts = readHelp(createProgram());

test("help covers subcommands", () => {
  expect(helpTexts.map(({ path }) => path)).toContain("waitlist mail retry");
});

test.each(helpTexts)("$path --help shows an example and fits an 80-column terminal", ({ path, text }) => {
  expect(text).toMatch(new RegExp(`^Examples?:\\n  npx ${path}\\b`, "m"));
  expect(text.split("\n").filter((line) => line.length > TERMINAL_WIDTH)).toEqual([]);
});

test("examples use only flags that exist", () => {
  const examples = helpTexts.flatMap(({ text }) => text.match(/^ {2}npx waitlist.*$/gm) ?? []);
  const unknown = examples.filter((example) => {
    const flags = [...findCommand(example).options.map(({ long }) => long), "--json"];
    return example.match(/--[a-z-]+/g)?.some((flag) => !flags.includes(flag));
  });
  expect(unknown).toEqual([]);
});
