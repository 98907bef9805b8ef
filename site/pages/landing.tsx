import * as content from "#brand/content.ts";
import { Backdrop } from "#site/backdrop/backdrop.tsx";
import { About } from "#site/sections/about/about.tsx";
import { Features } from "#site/sections/features/features.tsx";
import { Footer } from "#site/sections/footer/footer.tsx";
import { Hero } from "#site/sections/hero/hero.tsx";
import { NavBar } from "#site/sections/nav-bar.tsx";
import { Toaster } from "#site/toast/toaster.tsx";
import { Waitlist } from "#site/waitlist/waitlist.tsx";
import { Island } from "./island.tsx";

export function Landing() {
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-4 z-50 -translate-y-24 rounded-control border border-line-strong bg-raised px-4 py-2 focus:translate-y-0"
      >
        {content.skipLink}
      </a>
      <Island of=".backdrop" section={Backdrop} />
      <Island of=".nav-bar" section={NavBar} />
      <main id="main" tabIndex={-1} className="wrap-anywhere outline-none">
        <Island of=".hero" section={Hero} />
        <Island of="#features" section={Features} />
        <Island of="#about" section={About} />
        <Island of="#waitlist" section={Waitlist} />
      </main>
      <Island of=".footer" section={Footer} />
      <Island of=".toast-viewport" section={Toaster} />
    </>
  );
}
