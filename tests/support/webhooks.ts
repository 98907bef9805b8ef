import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { readConfig } from "#core/config/config.ts";
import { addEndpoint } from "#core/webhooks/endpoints.ts";
import { sendWebhooks } from "#worker/webhooks.ts";
import { OPERATOR } from "./an-operator.ts";
import { SECRET, useOperator } from "./cli.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

/** For a whole test file: an empty list and a receiver before each test, and a sender in this process. */
export function useWebhooks() {
  const operator = useOperator();
  const faults: unknown[] = [];
  const senders: { stop(): Promise<void> }[] = [];
  const context = Object.assign(operator, {
    receiver: {} as WebhookReceiver,
    settings: () => ({ DATABASE_URL: operator.url, SECRET, WEBHOOK_HOSTS: context.receiver.WEBHOOK_HOSTS }),
    add: (path = "/", sends: "pseudonyms" | "contact" | "digest" = "pseudonyms") =>
      addEndpoint(operator.db, OPERATOR, { url: context.receiver.urlOf(path), sends }),
    startSender() {
      const stopping = new AbortController();
      const { keys, WEBHOOK_HOSTS: hosts } = readConfig(context.settings());
      if (!keys) throw new Error("Webhooks need SECRET");
      const stopped = sendWebhooks(
        operator.db,
        { webhookHosts: hosts, keys },
        stopping.signal,
        (fault) => void faults.push(fault),
      );
      const sender = {
        async stop() {
          stopping.abort();
          await stopped;
        },
      };
      senders.push(sender);
      return sender;
    },
    /** The paths and types of all requests, as "/crm confirmed". */
    log: () =>
      context.receiver.received.map(({ path, body }) => `${path} ${JSON.parse(body).type.replace("person.", "")}`),
    attempts: async (endpointId: string) => {
      const query = operator.db.selectFrom("webhook_deliveries").select(["status", "outcome", "attempt"]);
      const rows = await query.where("endpoint_id", "=", endpointId).orderBy("id").execute();
      return rows.map(({ attempt, status, outcome }) => `${attempt}: ${status} ${outcome}`);
    },
    endpoint: (id: string) =>
      operator.db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    /** Lets this much time pass for every endpoint. */
    pass: (interval: string) =>
      operator.db.pool.query(
        `update webhook_endpoints set next_try_at = next_try_at - $1::interval,
          failing_since = failing_since - $1::interval, rotated_at = rotated_at - $1::interval`,
        [interval],
      ),
  });
  beforeAll(async () => {
    context.receiver = await startWebhookReceiver(operator.folder);
  });
  afterAll(() => context.receiver.stop());
  beforeEach(() => {
    Object.assign(context.receiver, { received: [], respond: () => 200 });
    faults.length = 0;
  });
  afterEach(async () => {
    await Promise.all(senders.splice(0).map((sender) => sender.stop()));
    expect(faults).toEqual([]);
  });
  return context;
}
