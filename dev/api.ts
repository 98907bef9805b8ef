/** The API alone, for development, where Vite serves the page. Restarted by `node --watch` when its files change. */
import { createApp } from "#server/app.ts";
import { connect } from "#server/database/connect.ts";
import { recordConsentWording } from "#server/waitlist/consent.ts";
import { unlimited } from "./unlimited.ts";

const db = connect(process.env.DATABASE_URL ?? "");
await recordConsentWording(db);
const app = await createApp({ db, ...unlimited, logger: { level: "warn" } });
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
