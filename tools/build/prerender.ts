/** What site/prerender.tsx exports. Said again here, because its own types need a DOM and the build has none. */
export interface Prerender {
  renderPage(template: string, path: string): Promise<string>;
}
