import { brand } from "#brand/brand.ts";
import { legalTexts } from "#brand/legal.ts";

export function LegalTexts() {
  return (
    <div className="page">
      <div className="grid gap-10 border-t border-line py-12 text-sm leading-relaxed text-quiet md:grid-cols-3">
        {legalTexts.map(({ id, title, text, endsWithMail }) => (
          <section key={id} id={id} className="grid content-start gap-2">
            <h2 className="font-medium text-text">{title}</h2>
            <p>
              {text}{" "}
              {endsWithMail && (
                <a href={`mailto:${brand.mail}`} className="underline underline-offset-4">
                  {brand.mail}
                </a>
              )}
            </p>
          </section>
        ))}
      </div>
    </div>
  );
}
