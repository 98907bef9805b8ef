import { randomBytes } from "node:crypto";

/**
 * Rendered mails for the preview's iframe, which can't send the session, so the id authorizes it. Keeps a few for a
 * minute, because the iframe loads immediately, and typing creates a new preview every second.
 */
export function createPreviewStore({ maxPreviews = 20, lifetimeMs = 60_000, now = Date.now } = {}) {
  const previews = new Map<string, { html: string; expiresAt: number }>();
  return {
    /** Returns the id by which the HTML can be read until it expires. */
    add(html: string): string {
      for (const [id, { expiresAt }] of previews) {
        if (previews.size >= maxPreviews || expiresAt <= now()) previews.delete(id);
      }
      const id = randomBytes(32).toString("base64url");
      previews.set(id, { html, expiresAt: now() + lifetimeMs });
      return id;
    },
    read(id: string): string | undefined {
      const preview = previews.get(id);
      return preview && preview.expiresAt > now() ? preview.html : undefined;
    },
  };
}
