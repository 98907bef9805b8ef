import { brand } from "#brand/brand.ts";

/** Short and true: what this page does with what it is told. */
export function LegalTexts() {
  return (
    <div className="page">
      <div className="grid gap-10 border-t border-line py-12 text-sm leading-relaxed text-quiet md:grid-cols-3">
        <section id="privacy" className="grid content-start gap-2">
          <h2 className="font-medium text-text">Privacy</h2>
          <p>
            We keep the name, the email address and the company you enter, whether you asked for news, and the name of
            the campaign that brought you, where the link you followed had one. We use them to run this waitlist and to
            write to you about it, and give them to nobody else. They stay until a year after the launch, or until you
            ask us to erase them:{" "}
            <a href={`mailto:${brand.mail}`} className="underline underline-offset-4">
              {brand.mail}
            </a>
          </p>
        </section>
        <section id="terms" className="grid content-start gap-2">
          <h2 className="font-medium text-text">Terms</h2>
          <p>
            Joining the waitlist is free and commits neither of us to anything. A place on it is no promise of a date or
            of a feature. The figures in the dashboard above are a sample.
          </p>
        </section>
        <section id="cookies" className="grid content-start gap-2">
          <h2 className="font-medium text-text">Cookies</h2>
          <p>
            There are none. {brand.name}'s page sets no cookie, stores nothing in your browser, and loads nothing from
            anyone else.
          </p>
        </section>
      </div>
    </div>
  );
}
