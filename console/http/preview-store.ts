import { randomToken } from "./session.ts";

/**
 * Rendered emails for the preview's iframe, by a random id, because an iframe can't send the session's header. Keeps
 * a few for a minute, because the iframe loads immediately, and typing creates a new preview every second.
 */
export function createPreviewStore({ maxPreviews = 20, lifetimeMs = 60_000, now = Date.now } = {}) {
  const previews = new Map<string, { sessionId: string; html: string; expiresAt: number }>();
  return {
    add(sessionId: string, html: string): string {
      for (const [id, { expiresAt }] of previews) {
        if (previews.size >= maxPreviews || expiresAt <= now()) previews.delete(id);
      }
      const id = randomToken();
      previews.set(id, { sessionId, html, expiresAt: now() + lifetimeMs });
      return id;
    },
    read(sessionId: string, id: string): string | undefined {
      const preview = previews.get(id);
      return preview?.sessionId === sessionId && preview.expiresAt > now() ? preview.html : undefined;
    },
  };
}
