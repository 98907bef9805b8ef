import { prerender } from "react-dom/static";
import { createQueryClient } from "#site/http/query-client.ts";
import { Head } from "#site/pages/head.tsx";
import { Site } from "#site/pages/site.tsx";

/** The page at a path as HTML, set into the template that Vite filled with its scripts and styles. */
export async function renderPage(template: string, path: string): Promise<string> {
  const [head, page] = await Promise.all([
    render(<Head path={path} />),
    render(<Site path={path} queryClient={createQueryClient()} />),
  ]);
  // By function, because in a replacement string "$&" would mean something.
  return template.replace("<!--head-->", () => head).replace("<!--page-->", () => page);
}

async function render(node: React.ReactNode): Promise<string> {
  // Otherwise React sets large sections apart, to be put in place by an inline script.
  const { prelude } = await prerender(node, { progressiveChunkSize: Number.POSITIVE_INFINITY });
  return new Response(prelude).text();
}
