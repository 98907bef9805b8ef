/** Preloaded by a negative control: a server and a table without the unique index on the address. */
import { Client } from "pg";
import { changeSource } from "./change-source.ts";

changeSource("core/sign-ups/write-batch.ts", [["on conflict (email_key) do nothing", ""]]);

const client = new Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query("alter table sign_ups drop constraint if exists sign_ups_email_key_key");
await client.end();
