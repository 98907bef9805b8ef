/** The API alone, for development, where Vite serves the page. Restarted by `node --watch` when its files change. */

import { connect } from "#core/database/connect.ts";
import { createLogger } from "#core/log.ts";
import { recordConsentWording } from "#core/waitlist/consent.ts";
import { createApp } from "#server/app.ts";
import { unlimited } from "./unlimited.ts";

const db = connect(process.env.DATABASE_URL ?? "");
await recordConsentWording(db);
const app = await createApp({ db, ...unlimited, log: createLogger("warn") });
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
