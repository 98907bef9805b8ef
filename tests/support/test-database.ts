import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { cloneDatabase, dropDatabase } from "./databases.ts";
import { emptyWaitlist } from "./empty-waitlist.ts";

/** A migrated database that only this test file uses. */
export function useTestDatabase(): { url: string; db: Database } {
  const context = {} as { url: string; db: Database };
  beforeAll(async () => {
    context.url = await cloneDatabase(inject("templateUrl"));
    context.db = connect(context.url);
  });
  afterAll(async () => {
    await context.db.destroy();
    await dropDatabase(context.url);
  });
  return context;
}

/** Like useTestDatabase(), with the consent's wording recorded. The list is empty before each test. */
export function useEmptyList(): { url: string; db: Database } {
  const context = useTestDatabase();
  beforeAll(() => recordConsentWording(context.db));
  beforeEach(() => emptyWaitlist(context.db));
  return context;
}
