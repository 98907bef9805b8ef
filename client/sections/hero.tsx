import { brand } from "#brand/brand.ts";

export function Hero() {
  return (
    <section className="grid min-h-svh content-center gap-6">
      <p>Advanced Cybersecurity Solutions</p>
      <h1 className="text-5xl font-semibold">
        Secure Your <br />
        Digital Future
      </h1>
      <p className="max-w-prose text-quiet">{brand.tagline}</p>
      <p className="flex gap-6">
        <a href="#waitlist" className="underline">
          Join the Waitlist
        </a>
        {/* biome-ignore lint/a11y/noAmbiguousAnchorText: these are the specified words */}
        <a href="#features" className="underline">
          Learn More
        </a>
      </p>
    </section>
  );
}
