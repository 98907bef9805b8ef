import { brand } from "#brand/brand.ts";
import { legalTexts } from "#brand/legal.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";

export function LegalTexts() {
  return (
    <div className="footer-row footer-texts">
      <p>Legal</p>
      {legalTexts.map(({ id, title, text, endsWithMail, selfService }) => (
        <section key={id} id={id}>
          <h2>{title}</h2>
          <p>
            {text}{" "}
            {endsWithMail && (
              <a href={`mailto:${brand.mail}`} className="underline underline-offset-4">
                {brand.mail}
              </a>
            )}
            {selfService && (
              <>
                . {selfService.text}{" "}
                <a href={MEMBERSHIP_PATH} className="underline underline-offset-4">
                  {selfService.link}
                </a>
              </>
            )}
          </p>
        </section>
      ))}
    </div>
  );
}
