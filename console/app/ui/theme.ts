/** Applies the operator's theme; without one, the system's applies. */
export function applyTheme(theme = localStorage.getItem("theme")): void {
  if (theme) document.documentElement.dataset.theme = theme;
}

export function switchTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const theme = (document.documentElement.dataset.theme ?? system) === "dark" ? "light" : "dark";
  localStorage.setItem("theme", theme);
  applyTheme(theme);
}
