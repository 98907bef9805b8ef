import { brand } from "#brand/brand.ts";
import * as content from "#brand/content.ts";
import { dark } from "#brand/tokens.ts";

const TITLE = `${brand.name}: ${content.pitch}`;
const IMAGE = `${brand.address}/share.png`;

/** Metadata for browsers, search engines and link previews. Rendered at build time only. */
export function Head({ path }: { path: string }) {
  return (
    <>
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <link rel="icon" href="/icon-32.png" type="image/png" sizes="32x32" />
      <link rel="apple-touch-icon" href="/icon-180.png" />
      <link rel="manifest" href="/site.webmanifest" />
      <meta name="theme-color" content={dark.ground} />
      {path === "/" ? <LandingHead /> : <NotFoundHead />}
    </>
  );
}

function NotFoundHead() {
  return (
    <>
      <title>{content.notFoundTitle}</title>
      <meta name="robots" content="noindex" />
    </>
  );
}

function LandingHead() {
  return (
    <>
      <title>{TITLE}</title>
      <meta name="description" content={content.tagline} />
      <link rel="canonical" href={`${brand.address}/`} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={brand.name} />
      <meta property="og:title" content={TITLE} />
      <meta property="og:description" content={content.tagline} />
      <meta property="og:url" content={`${brand.address}/`} />
      <meta property="og:image" content={IMAGE} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={`${brand.name}: ${content.headline.join(" ")}`} />
      <meta name="twitter:card" content="summary_large_image" />
      {/* Browsers don't run this type of script, so the content security policy doesn't block it. */}
      <script type="application/ld+json">{JSON.stringify(linkedData)}</script>
    </>
  );
}

const linkedData = {
  "@context": "https://schema.org",
  "@type": "SoftwareApplication",
  name: brand.name,
  description: content.tagline,
  applicationCategory: "SecurityApplication",
  operatingSystem: "Any",
  publisher: {
    "@type": "Organization",
    name: brand.name,
    url: brand.address,
    logo: `${brand.address}/icon-512.png`,
    email: brand.mail,
  },
};
