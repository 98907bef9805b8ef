/** What site/prerender.tsx exports, repeated here because its own types need the DOM and the build has none. */
export interface Prerender {
  renderPage(template: string, path: string): Promise<string>;
}
