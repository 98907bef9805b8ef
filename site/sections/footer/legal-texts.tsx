import { brand } from "#brand/brand.ts";
import * as content from "#brand/content.ts";
import { legalTexts } from "#brand/legal.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";

const LINKS: Record<string, { href: string; label: string }> = {
  mail: { href: `mailto:${brand.mail}`, label: brand.mail },
  membership: { href: MEMBERSHIP_PATH, label: content.emailMyLink },
};

export function LegalTexts() {
  return (
    <div className="footer-row footer-texts">
      {legalTexts.map(({ id, title, paragraphs }) => (
        <section key={id} id={id} className="grid content-start gap-x-8 gap-y-3">
          <h2>{title}</h2>
          {paragraphs.map(({ lead, text }) => (
            <p key={text}>
              {lead && <strong>{`${lead} `}</strong>}
              {text.split(/\{(\w+)\}/).map(withLink)}
            </p>
          ))}
        </section>
      ))}
    </div>
  );
}

/** Every second part is a link's name, which is replaced with the link. */
function withLink(part: string, i: number) {
  const link = i % 2 ? LINKS[part] : undefined;
  return link ? (
    <a key={part} href={link.href} className="underline underline-offset-4">
      {link.label}
    </a>
  ) : (
    part
  );
}
