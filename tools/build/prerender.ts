/** The exports of site/prerender.tsx, repeated here because its own types need the DOM, which the build lacks. */
export interface Prerender {
  renderPage(template: string, path: string): Promise<string>;
}
