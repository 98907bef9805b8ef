import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { html, type Markup } from "#core/text/html.ts";
import { startSmtpServer } from "./smtp-server.ts";

/** An SMTP server that delivers nothing: prints a line for each email, and keeps it in a folder until the end. */
export async function startMailCatcher() {
  const folder = await mkdtemp(join(tmpdir(), "farwatch-mail-"));
  const index = join(folder, "index.html");
  const caught: Markup[] = [];
  const writeIndex = () => writeFile(index, indexPage(caught));
  await writeIndex();

  const smtp = await startSmtpServer({
    async onMail(mail) {
      const { to = [], subject = "", text = "", html: body } = await PostalMime.parse(mail);
      const recipients = to.map(({ address }) => address).join(", ");
      const link = /https?:\S+/.exec(text)?.[0] ?? "";
      console.log(`Mail to ${recipients}: ${subject} ${link}`);

      const name = String(caught.length + 1).padStart(4, "0");
      caught.unshift(
        html`<li><a href="${name}.html">${subject}</a> to ${recipients} at ${new Date().toLocaleTimeString()}
          (<a href="${name}.eml">source</a>)</li>`,
      );
      await writeFile(join(folder, `${name}.eml`), mail);
      await writeFile(join(folder, `${name}.html`), body ?? html`<meta charset="utf-8"><pre>${text}</pre>`.text);
      await writeIndex();
    },
  });
  return {
    url: smtp.url,
    index,
    async stop() {
      await smtp.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function indexPage(caught: Markup[]): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Caught mail</title>
<body>
<h1>Caught mail</h1>
<p>Newest first. Reload for more.</p>
<ul>${caught}</ul>
</body>
</html>
`.text;
}
