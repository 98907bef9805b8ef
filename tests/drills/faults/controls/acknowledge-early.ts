/** Preloaded by a negative control: a server that acknowledges a batch 50 ms before it is written. */
import { changeSource } from "./change-source.ts";

changeSource("core/sign-ups/group-commit.ts", [
  [
    "const outcomes = await write(batch.map(({ item }) => item));",
    `const totals = { totalUsers: 1, companiesInterested: 1 };
     for (const { resolve } of batch) resolve({ kind: "joined", totals } as Outcome);
     await new Promise((resolve) => setTimeout(resolve, 50));
     const outcomes = await write(batch.map(({ item }) => item));`,
  ],
]);
