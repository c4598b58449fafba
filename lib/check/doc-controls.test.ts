import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const textsOf = (folder: string, name: RegExp) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map(({ parentPath, name: file }) => readFileSync(join(parentPath, file), "utf8"));

/** Steps of other products' consoles. */
const ELSEWHERE = "Cursor Settings";
/** The icon of a menu. */
const ICON = "⋯";

/** Returns the names of steps and buttons that documents set in bold: `Settings › Webhooks`, `Delete…`. */
const controlsOf = (document: string) =>
  [...document.matchAll(/\*\*([^*\n`]*[›…][^*\n`]*)\*\*/g)]
    .map(([, path = ""]) => path.split(" › "))
    .filter(([first]) => first !== ELSEWHERE)
    .flat()
    .filter((name) => name !== ICON);

it("finds the controls that documents name in the console", () => {
  const source = ["app", "components", "lib"].flatMap((folder) => textsOf(folder, /(?<!\.test)\.tsx?$/)).join("\n");
  const named = [...textsOf("docs", /\.md$/), readFileSync("README.md", "utf8")].flatMap(controlsOf);
  expect(named.length).toBeGreaterThan(30);
  expect([...new Set(named)].filter((name) => !source.includes(name))).toEqual([]);
});
