import { brand } from "#brand/brand.ts";

export function NavBar() {
  return (
    <header className="sticky top-0 bg-ground">
      <nav aria-label="Main" className="mx-auto flex max-w-4xl flex-wrap items-center gap-x-6 gap-y-2 p-4">
        <a href="/" className="mr-auto font-semibold">
          {brand.name}
        </a>
        <a href="#features">Features</a>
        <a href="#about">About</a>
        <a href="#waitlist">Contact</a>
        <a href="#waitlist" className="underline">
          Join Waitlist
        </a>
      </nav>
    </header>
  );
}
