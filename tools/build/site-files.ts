import { brand } from "#brand/brand.ts";
import { dark } from "#brand/tokens.ts";

export const siteFiles: Record<string, string> = {
  "robots.txt": `User-agent: *\nAllow: /\nDisallow: /api/\nSitemap: ${brand.address}/sitemap.xml\n`,

  "sitemap.xml": `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>${brand.address}/</loc></url>
</urlset>
`,

  "site.webmanifest": JSON.stringify({
    name: brand.name,
    short_name: brand.name,
    start_url: "/",
    display: "browser",
    background_color: dark.ground,
    theme_color: dark.ground,
    icons: [
      { src: "/icon.svg", type: "image/svg+xml", sizes: "any" },
      { src: "/icon-512.png", type: "image/png", sizes: "512x512" },
    ],
  }),
};
