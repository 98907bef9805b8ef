import { About } from "#client/sections/about.tsx";
import { Features } from "#client/sections/features.tsx";
import { Footer } from "#client/sections/footer.tsx";
import { Hero } from "#client/sections/hero.tsx";
import { NavBar } from "#client/sections/nav-bar.tsx";
import { Toaster } from "#client/toast/toaster.tsx";
import { Waitlist } from "#client/waitlist/waitlist.tsx";

export function Landing() {
  return (
    <>
      <NavBar />
      <main className="mx-auto grid max-w-4xl gap-24 px-4">
        <Hero />
        <Features />
        <About />
        <Waitlist />
      </main>
      <Footer />
      <Toaster />
    </>
  );
}
