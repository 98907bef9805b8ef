import { expect, test } from "vitest";
import { firstErrors } from "./first-errors.ts";

test("keeps the first error of each field, in order", () => {
  const errors = [
    { field: "firstName", message: "is required" },
    { field: "email", message: "is too long" },
    { field: "email", message: "is not an address" },
  ];
  expect([...firstErrors(errors)]).toEqual([
    ["firstName", "is required"],
    ["email", "is too long"],
  ]);
});
