import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function withIntegrity(html: string, dist: string): string {
  return html.replace(
    /<(?:script|link)\b[^>]*\b(?:src|href)="(\/assets\/[^"]+\.js)"[^>]*?(?=\s*\/?>)/g,
    (tag, path: string) => {
      const digest = hash("sha384", readFileSync(join(dist, path)), "base64");
      return `${tag} integrity="sha384-${digest}"`;
    },
  );
}
