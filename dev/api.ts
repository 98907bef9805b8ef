/** The API alone, for development, where Vite serves the page. Restarted by `node --watch` when its files change. */
import { createApp } from "#server/app.ts";
import { connect } from "#server/database/connect.ts";

const app = await createApp({ db: connect(process.env.DATABASE_URL ?? ""), logger: { level: "warn" } });
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
