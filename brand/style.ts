import { markStyle } from "./mark.ts";
import { dark, font, light, radius } from "./tokens.ts";

type ColorScheme = "dark" | "light dark";

/** The start of a page's style sheet: the font, the tokens as custom properties (--color-accent-far) and the mark. */
export function pageStyle(colorScheme: ColorScheme, fontUrl: string): string {
  return `${fontFace(fontUrl)}:root {
  color-scheme: ${colorScheme};
${customProperties(colorScheme)}}
${markStyle()}`;
}

/** brand/tokens.css: the same tokens for Tailwind, which reads its theme from a file. */
export function themeStyle(): string {
  const metrics = Object.entries(font.fallbackMetrics).map(([name, value]) => `  ${name}: ${value};\n`);
  return `/* Written by \`npm run generate -- brand\` from tokens.ts. */
@theme {
  --color-*: initial;
${customProperties("dark")}}
${fontFace("./fonts/sans.woff2")}@font-face {
  font-family: "${font.family} Fallback";
  src: local("Arial"), local("Liberation Sans"), local("Helvetica");
${metrics.join("")}}
`;
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
    ["font-sans", `"${font.family}", "${font.family} Fallback", ui-sans-serif, system-ui, sans-serif`],
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
