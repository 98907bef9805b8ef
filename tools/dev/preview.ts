/** `npm run preview`: the production build on a scratch PostgreSQL, for whoever wants to look at it. */
import { brand } from "#brand/brand.ts";
import { startSite } from "./running-site.ts";
import { untilInterrupted } from "./until-interrupted.ts";

const site = await startSite({ PORT: process.env.PORT ?? "3000" });
console.log(`${brand.name} (production build): ${site.origin}`);
console.log("Its database is gone when you stop it with Ctrl-C.");
await untilInterrupted();
await site.stop();
