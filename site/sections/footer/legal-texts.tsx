import { brand } from "#brand/brand.ts";
import { legalTexts } from "#brand/legal.ts";

export function LegalTexts() {
  return (
    <div className="footer-row footer-texts">
      <p>Legal</p>
      {legalTexts.map(({ id, title, text, endsWithMail }) => (
        <section key={id} id={id}>
          <h2>{title}</h2>
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
  );
}
