import { prerender } from "react-dom/static";
import { brand } from "#brand/brand.ts";
import { createQueryClient } from "#client/http/query-client.ts";
import { NOT_FOUND_TITLE } from "#client/pages/not-found.tsx";
import { Site } from "#client/pages/site.tsx";

/** The page at a path as HTML, set into the template that Vite filled with its scripts and styles. */
export async function renderPage(template: string, path: string): Promise<string> {
  const [head, page] = await Promise.all([render(<Head path={path} />), renderSite(path)]);
  // By function, because in a replacement string "$&" would mean something.
  return template.replace("<!--head-->", () => head).replace("<!--page-->", () => page);
}

function Head({ path }: { path: string }) {
  return path === "/" ? (
    <>
      <title>{`${brand.name}: AI-powered cybersecurity for business`}</title>
      <meta name="description" content={brand.tagline} />
    </>
  ) : (
    <>
      <title>{NOT_FOUND_TITLE}</title>
      <meta name="robots" content="noindex" />
    </>
  );
}

function renderSite(path: string): Promise<string> {
  return render(<Site path={path} queryClient={createQueryClient()} />);
}

async function render(node: React.ReactNode): Promise<string> {
  const { prelude } = await prerender(node);
  return new Response(prelude).text();
}
