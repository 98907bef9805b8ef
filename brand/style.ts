import { markStyle } from "./mark.ts";
import { dark, font, light, radius } from "./tokens.ts";

type ColorScheme = "dark" | "light dark";
type Fallback = (typeof font.fallbacks)[number];

/** The start of a page's style sheet: the font, the tokens as custom properties (--color-accent-far) and the mark. */
export function pageStyle(colorScheme: ColorScheme, fontUrl: string): string {
  return `${fontFace(fontUrl)}:root {
  color-scheme: ${colorScheme};
${customProperties(colorScheme)}}
${markStyle()}`;
}

/** brand/tokens.css: the same tokens for Tailwind, which reads its theme from a file. */
export function themeStyle(): string {
  return `/* Written by vite.config.ts from tokens.ts. */
@theme {
  --color-*: initial;
${customProperties("dark")}}
${fontFace("./fonts/sans.woff2")}${font.fallbacks.flatMap(fallbackFaces).join("")}`;
}

const fallbackName = ({ local: [first] }: Fallback) => `"${font.family} ${first}"`;

function fallbackFaces(fallback: Fallback): string[] {
  const percent = (value: number) => `${Number((100 * value).toFixed(2))}%`;
  const weights = ["100 400", "500 900"];
  return fallback.scales.map(
    (scale, i) => `@font-face {
  font-family: ${fallbackName(fallback)};
  src: ${fallback.local.map((name) => `local("${name}")`).join(", ")};
  font-weight: ${weights[i]};
  size-adjust: ${percent(scale)};
  ascent-override: ${percent(font.ascent / scale)};
  descent-override: ${percent(font.descent / scale)};
  line-gap-override: 0%;
}
`,
  );
}

function customProperties(colorScheme: ColorScheme): string {
  const colors =
    colorScheme === "dark"
      ? Object.entries(dark)
      : Object.entries(light).map(([role, value]) => [
          role,
          `light-dark(${value}, ${dark[role as keyof typeof light]})`,
        ]);
  const properties = [
    ...colors.map(([role = "", value]) => [`color-${kebabCase(role)}`, value]),
    ["font-sans", [`"${font.family}"`, ...font.fallbacks.map(fallbackName), "system-ui", "sans-serif"].join(", ")],
    ...Object.entries(radius).map(([role, pixels]) => [`radius-${role}`, `${pixels / 16}rem`]),
  ];
  return properties.map(([name, value]) => `  --${name}: ${value};\n`).join("");
}

function fontFace(url: string): string {
  return `@font-face {
  font-family: "${font.family}";
  src: url("${url}") format("woff2");
  font-weight: ${font.weights};
  font-display: swap;
}
`;
}

function kebabCase(role: string): string {
  return role.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
