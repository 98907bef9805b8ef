import { Suspense } from "react";
import { Backdrop } from "#client/backdrop/backdrop.tsx";
import { About } from "#client/sections/about/about.tsx";
import { Features } from "#client/sections/features/features.tsx";
import { Footer } from "#client/sections/footer/footer.tsx";
import { Hero } from "#client/sections/hero/hero.tsx";
import { NavBar } from "#client/sections/nav-bar.tsx";
import { Toaster } from "#client/toast/toaster.tsx";
import { Waitlist } from "#client/waitlist/waitlist.tsx";

/** Nothing here suspends. The boundaries let React hydrate a section at a time, so that no task is long. */
export function Landing() {
  return (
    <>
      <Backdrop />
      <NavBar />
      <main>
        <Hero />
        <Suspense>
          <Features />
        </Suspense>
        <Suspense>
          <About />
        </Suspense>
        <Suspense>
          <Waitlist />
        </Suspense>
      </main>
      <Suspense>
        <Footer />
      </Suspense>
      <Toaster />
    </>
  );
}
