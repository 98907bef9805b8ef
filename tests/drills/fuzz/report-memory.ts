/** Preloaded by the server: at a signal, logs how much memory is in use after a full garbage collection. */
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const [usedMb, residentMb] = [heapUsed + external, rss].map((bytes) => Math.round(bytes / 2 ** 20));
  console.log(`memory ${JSON.stringify({ usedMb, residentMb })}`);
});
