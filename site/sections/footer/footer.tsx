import { brand } from "#brand/brand.ts";
import { legalTexts } from "#brand/legal.ts";
import { BrandLink } from "#site/ui/brand-mark.tsx";
import { LegalTexts } from "./legal-texts.tsx";
import { MotionControl } from "./motion-control.tsx";
import { UpcomingLink } from "./upcoming-link.tsx";

const COLUMNS = [
  { name: "Product", links: { Pricing: "#pricing", Security: "#security", Integrations: "#integrations" } },
  { name: "Company", links: { Careers: "#careers", Blog: "#blog", Contact: "#contact" } },
  {
    name: "Support",
    links: { "Help Center": "#help", Documentation: "#docs", Status: "#status", Community: "#community" },
  },
];

export function Footer() {
  return (
    <footer className="border-t border-line bg-ground">
      <div className="page grid grid-cols-2 gap-x-6 gap-y-10 py-16 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="col-span-full lg:col-span-1">
          <BrandLink />
          <p>
            <a id="contact" href={`mailto:${brand.mail}`} className="footer-link">
              {brand.mail}
            </a>
          </p>
        </div>
        {COLUMNS.map(({ name, links }) => (
          <nav key={name} aria-label={name} className="grid content-start gap-1">
            <h2 className="mb-1 text-sm font-medium">{name}</h2>
            {Object.entries(links).map(([label, href]) =>
              href === "#contact" ? (
                <a key={href} href={href} className="footer-link">
                  {label}
                </a>
              ) : (
                <UpcomingLink key={href} label={label} href={href} />
              ),
            )}
          </nav>
        ))}
      </div>
      <LegalTexts />
      <div className="page">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line py-6 text-sm text-quiet">
          <p className="mr-auto">© 2024 {brand.name}</p>
          {legalTexts.map(({ id, title }) => (
            <a key={id} href={`#${id}`} className="footer-link">
              {title}
            </a>
          ))}
          <MotionControl />
        </div>
      </div>
    </footer>
  );
}
