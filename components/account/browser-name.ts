const BROWSERS = [
  ["Edge", /Edg\//],
  ["Opera", /OPR\//],
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
] as const;
const SYSTEMS = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
] as const;

const firstOf = (names: readonly (readonly [string, RegExp])[], text: string) =>
  names.find(([, form]) => form.test(text))?.[0];

/** "Chrome on Linux" if the `User-Agent` is recognized; otherwise the raw value. */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return "Unknown browser";
  const browser = firstOf(BROWSERS, userAgent);
  const system = firstOf(SYSTEMS, userAgent);
  if (!browser) return userAgent.split(" ", 1).join("");
  return system ? `${browser} on ${system}` : browser;
}
