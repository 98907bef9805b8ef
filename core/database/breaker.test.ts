import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Breaker, createBreaker } from "./breaker.ts";
import { CircuitOpen, UnknownOutcome } from "./faults.ts";

const timeout = () => Promise.reject(new Error("Query read timeout"));
const stored = async () => "stored";

let breaker: Breaker;
let events: string[];
let probes: number;
let isDurable: () => Promise<boolean>;

beforeEach(() => {
  vi.useFakeTimers();
  events = [];
  probes = 0;
  isDurable = async () => false;
  breaker = createBreaker({
    probe: () => {
      probes += 1;
      return isDurable();
    },
    onOutage: ({ message }) => events.push(message),
    onRecovery: (seconds) => events.push(`over after ${seconds} s`),
  });
});
afterEach(() => {
  breaker.stop();
  vi.useRealTimers();
});

test("one timeout opens the circuit: writes fail without being tried, reads are tried", async () => {
  await expect(breaker.write(timeout)).rejects.toThrow("Query read timeout");
  const write = vi.fn(stored);
  await expect(breaker.write(write)).rejects.toBeInstanceOf(CircuitOpen);
  expect(write).not.toHaveBeenCalled();
  expect(await breaker.read(stored)).toBe("stored");
  expect(breaker.isUp()).toBe(false);
});

test("an unknown outcome opens it too, and errors that are no outage leave it closed", async () => {
  await expect(breaker.write(() => Promise.reject(new Error("duplicate key")))).rejects.toThrow();
  expect(breaker.report(new TypeError("x is undefined"))).toBe(false);
  expect(await breaker.write(stored)).toBe("stored");
  expect([breaker.isUp(), probes]).toEqual([true, 0]);
  expect(breaker.report(new UnknownOutcome())).toBe(true);
  expect(breaker.isUp()).toBe(false);
});

test("never has two probes under way", async () => {
  isDurable = () => new Promise(() => {});
  await expect(breaker.write(timeout)).rejects.toThrow();
  breaker.report(new Error("Query read timeout"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(probes).toBe(1);
});

test("closes by itself when a probe succeeds", async () => {
  await expect(breaker.write(timeout)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(2000);
  expect(probes).toBe(5);
  await expect(breaker.write(stored)).rejects.toBeInstanceOf(CircuitOpen);
  isDurable = async () => true;
  await vi.advanceTimersByTimeAsync(500);
  expect(await breaker.write(stored)).toBe("stored");
});

test("closes when a probe fails for a reason that is no outage", async () => {
  isDurable = () => Promise.reject(new Error("permission denied"));
  await expect(breaker.write(timeout)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(await breaker.write(stored)).toBe("stored");
});

test("reports one outage once, at its start and its end, however often writes and probes fail", async () => {
  await expect(breaker.write(timeout)).rejects.toThrow();
  for (let second = 0; second < 55; second += 1) {
    await expect(breaker.write(stored)).rejects.toThrow();
    await expect(breaker.read(timeout)).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(1000);
  }
  isDurable = async () => true;
  await vi.advanceTimersByTimeAsync(500);
  // The disk is full: probes succeed, sign-ups don't.
  for (let second = 0; second < 4; second += 1) {
    await expect(breaker.write(timeout)).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(events).toEqual(["Query read timeout"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(events).toEqual(["Query read timeout", expect.stringMatching(/^over after 58.5\d* s$/)]);
  expect(breaker.isUp()).toBe(true);
});

test("stops probing when it is stopped", async () => {
  await expect(breaker.write(timeout)).rejects.toThrow();
  breaker.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(probes).toBe(1);
});
