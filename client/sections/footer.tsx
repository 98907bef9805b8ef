import { brand } from "#brand/brand.ts";

export function Footer() {
  return <footer className="mx-auto mt-24 max-w-4xl px-4 py-8 text-quiet">© 2024 {brand.name}</footer>;
}
