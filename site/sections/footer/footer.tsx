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
    <footer className="footer wrap-anywhere">
      <div className="page">
        <div className="footer-row">
          <div>
            <div className="text-text">
              <BrandLink />
            </div>
            <a id="contact" href={`mailto:${brand.mail}`} className="footer-link">
              {brand.mail}
            </a>
          </div>
          {COLUMNS.map(({ name, links }) => (
            <nav key={name} aria-label={name}>
              <h2>{name}</h2>
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
        <div className="footer-row">
          <p>© 2024 {brand.name}</p>
          <div className="footer-legal col-span-full flex flex-wrap gap-x-8 sm:col-span-2">
            {legalTexts.map(({ id, title }) => (
              <a key={id} href={`#${id}`} className="footer-link">
                {title}
              </a>
            ))}
          </div>
          <MotionControl />
        </div>
      </div>
    </footer>
  );
}
