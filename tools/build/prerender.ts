/** The exports of site/prerender.tsx, repeated here because that file needs the DOM's types, which the build lacks. */
export interface Prerender {
  renderPage(template: string, path: string): Promise<string>;
}
