import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const ranges = JSON.parse(
  readFileSync(join(ROOT, "node_modules/@fontsource-variable/inter/unicode.json"), "utf8"),
) as Record<"latin", string>;
const LATIN = ranges.latin.split(",").map((range) => {
  const [first = "", last = first] = range.replace("U+", "").split("-");
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
});
const isInFont = (character: string) =>
  LATIN.some(([first, last]) => (character.codePointAt(0) ?? 0) >= first && (character.codePointAt(0) ?? 0) <= last);

const withoutComments = (source: string) => source.replaceAll(/\/\*\*.*?\*\/|^\s*\/\/.*$/gms, "");

it("uses only characters of the console's font in its texts", () => {
  const found = ["app", "components"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => join(ROOT, folder, path)),
    )
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    .flatMap((path) => {
      const missing = Array.from(withoutComments(readFileSync(path, "utf8"))).filter(
        (character) => !isInFont(character),
      );
      return missing.length > 0 ? [`${path}: ${[...new Set(missing)].join(" ")}`] : [];
    });
  expect(found).toEqual([]);
});
