import * as content from "#brand/content.ts";
import { Backdrop } from "#site/backdrop/backdrop.tsx";
import { BrandLink } from "#site/ui/brand-mark.tsx";
import { ButtonLink } from "#site/ui/button.tsx";

export function NotFound() {
  return (
    <>
      <Backdrop />
      <div data-page="not-found" className="page grid min-h-svh grid-rows-[4rem_1fr]">
        <header className="flex items-center">
          <BrandLink />
        </header>
        <main className="grid content-center justify-items-center gap-5 pb-24 text-center">
          <h1 className="text-title font-semibold">{content.notFoundTitle}</h1>
          <p className="text-lg text-quiet text-balance">{content.notFoundText}</p>
          <ButtonLink look="quiet" href="/">
            {content.home}
          </ButtonLink>
        </main>
      </div>
    </>
  );
}
