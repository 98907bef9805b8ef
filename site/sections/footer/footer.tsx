import { brand } from "#brand/brand.ts";
import * as content from "#brand/content.ts";
import { legalTexts } from "#brand/legal.ts";
import { BrandLink } from "#site/ui/brand-mark.tsx";
import { LegalTexts } from "./legal-texts.tsx";
import { MotionControl } from "./motion-control.tsx";
import { UpcomingLink } from "./upcoming-link.tsx";

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
          {Object.entries(content.footerColumns).map(([name, links]) => (
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
          <p>{`© ${content.COPYRIGHT_YEAR} ${brand.name}`}</p>
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
