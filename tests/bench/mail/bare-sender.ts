/** nodemailer alone: sends the same mail over and over, one at a time on each connection. Started by sender.ts. */
import { createTransport } from "nodemailer";

const [url = "", connections = "1"] = process.argv.slice(2);
const transport = createTransport({ url, pool: true, maxConnections: Number(connections) });
const mail = {
  from: "news@example.com",
  to: "ada@example.com",
  subject: "News",
  text: "Hi Ada\n".repeat(20),
  html: "<p>Hi Ada</p>\n".repeat(100),
};
process.on("SIGTERM", () => process.exit(0));

async function sendOneByOne(): Promise<never> {
  for (;;) await transport.sendMail(mail);
}
await Promise.all(Array.from({ length: Number(connections) }, sendOneByOne));
