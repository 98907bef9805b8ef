import { prerender } from "react-dom/static";
import { createQueryClient } from "#site/http/query-client.ts";
import { Head } from "#site/pages/head.tsx";
import { Site } from "#site/pages/site.tsx";

export async function renderPage(template: string, path: string): Promise<string> {
  const [head, page] = await Promise.all([
    render(<Head path={path} />),
    render(<Site path={path} queryClient={createQueryClient()} />),
  ]);
  // Replaces with a function, because "$&" is special in a replacement string.
  return template.replace("<!--head-->", () => head).replace("<!--page-->", () => page);
}

async function render(node: React.ReactNode): Promise<string> {
  // No limit: with one, React would send large sections separately and place them with an inline script.
  const { prelude } = await prerender(node, { progressiveChunkSize: Number.POSITIVE_INFINITY });
  return new Response(prelude).text();
}
