import { expect, test } from "vitest";
import { useConsoleApi } from "#tests/support/console-api.ts";

const context = useConsoleApi();

test.each([
  ["the first view in a tab of its own", "/", {}, 200],
  ["another view", "/messages/1?send", {}, 403],
  ["the first view with a query", "/?send", {}, 403],
  ["a frame", "/", { "sec-fetch-dest": "iframe" }, 403],
  ["a script", "/", { "sec-fetch-dest": "script" }, 403],
  ["the API", "/api/people", {}, 403],
])("a page from elsewhere that asks for %s", async (_name, url, headers, status) => {
  const navigation = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" };
  expect((await context.api.get(url, { ...navigation, ...headers })).status).toBe(status);
});
