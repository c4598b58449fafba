// Checks a source tree against lib/boundaries.mjs: import rules, roles, cycles between rooms, and that every file was seen.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import ruleSet, { roleOf, WINGS } from "../boundaries.mjs";

const FOLDERS = ["app", "components", "lib", "prisma", "e2e", "bench"];

/** @typedef {import("dependency-cruiser").ICruiseResult["modules"][number]} Module */

/** The source files of the tree, relative to it. @param {string} root */
const sourcesOf = (root) =>
  FOLDERS.flatMap((folder) => {
    try {
      return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .filter((path) => !/^prisma\/generated\/|\/node_modules\//.test(path));
    } catch {
      return [];
    }
  });

/** @param {string} root @returns {Promise<import("dependency-cruiser").ICruiseResult>} */
async function cruiseTree(root) {
  const { output } = await cruise(
    FOLDERS.filter((folder) => sourcesOf(root).some((path) => path.startsWith(`${folder}/`))),
    {
      baseDir: root,
      validate: true,
      ruleSet,
      tsPreCompilationDeps: true,
      tsConfig: { fileName: join(root, "tsconfig.json") },
      doNotFollow: { path: ["node_modules", "^prisma/generated/"] },
      enhancedResolveOptions: {
        exportsFields: ["exports"],
        conditionNames: ["import", "require", "node", "default", "types"],
      },
      outputType: "json",
    },
    {},
    { tsConfig: extractTSConfig(join(root, "tsconfig.json")) },
  );
  return typeof output === "string" ? JSON.parse(output) : output;
}

/** A room is a folder of a wing, or the files at the wing's top. @param {string} path */
function roomOf(path) {
  const [, wing = "", ...rest] = path.split("/");
  if (!(/** @type {readonly string[]} */ (WINGS).includes(wing))) return null;
  return rest.length > 1 ? `lib/${wing}/${rest[0]}` : `lib/${wing}`;
}

/** Returns value imports between rooms, except those of contracts and vocabularies. @param {readonly Module[]} modules */
function roomImports(modules) {
  /** @type {Map<string, Map<string, string>>} */
  const imports = new Map();
  for (const { source, dependencies } of modules) {
    const from = roomOf(source);
    if (!from || ["test", "contract", "vocabulary"].includes(roleOf(source) ?? "")) continue;
    for (const { resolved, dependencyTypes } of dependencies) {
      const to = roomOf(resolved);
      if (!to || to === from || dependencyTypes.includes("type-only")) continue;
      if (["contract", "vocabulary"].includes(roleOf(resolved) ?? "")) continue;
      const targets = imports.get(from) ?? new Map();
      imports.set(from, targets.set(to, `${source} → ${resolved}`));
    }
  }
  return imports;
}

/** Returns imports that close a cycle between rooms. @param {readonly Module[]} modules */
function roomCycles(modules) {
  const imports = roomImports(modules);
  /** @type {string[]} */
  const found = [];
  /** @type {Set<string>} */
  const done = new Set();
  /** @param {string} room @param {string[]} path */
  const visit = (room, path) => {
    if (done.has(room)) return;
    for (const [next, example] of imports.get(room) ?? []) {
      const start = [...path, room].indexOf(next);
      if (start >= 0)
        found.push(`${[...path, room].slice(start).join(" → ")} → ${next}\n    rooms import each other: ${example}`);
      else visit(next, [...path, room]);
    }
    done.add(room);
  };
  for (const room of imports.keys()) visit(room, []);
  return found;
}

/** True if a bundle that includes the module for the browser must fail to build. @param {Module} module */
const needsServer = ({ source, dependencies }) =>
  source.startsWith("lib/") &&
  !["test", "tool", "browser", "worker"].includes(roleOf(source) ?? "") &&
  source.endsWith(".ts") &&
  (["service", "store", "client"].includes(roleOf(source) ?? "") ||
    dependencies.some(
      ({ resolved, dependencyTypes }) => resolved.startsWith("prisma/generated/") || dependencyTypes.includes("core"),
    ));
/** @param {Module} module */
const isMarked = ({ dependencies }) =>
  dependencies.some(({ resolved }) => /node_modules\/server-only\/|^server-only$/.test(resolved));

/** Returns statements in a file whose role doesn't allow database access. @param {string} root @param {string} path */
function queries(root, path) {
  if (roleOf(path) !== "pure") return [];
  const found = /\.\$(query|execute)Raw|\bcontext\.db\b|\binTransaction\(/.exec(readFileSync(join(root, path), "utf8"));
  return found ? [`${path}: ${found[0]}\n    database: only services, stores and rows touch the database`] : [];
}

/** Returns the breaches of the rules in the tree below `root`. @param {string} root @returns {Promise<{files: number, imports: number, problems: string[]}>} */
export async function checkImports(root) {
  const { modules, summary } = await cruiseTree(root);
  const files = sourcesOf(root);
  const seen = new Set(modules.map(({ source }) => source));
  const problems = [
    ...summary.violations.map(({ rule, from, to, cycle }) => {
      const path = cycle?.length ? cycle.map(({ name }) => name).join(" → ") : to;
      const why = ruleSet.forbidden.find(({ name }) => name === rule.name)?.comment;
      return `${from} → ${path}\n    ${rule.name}: ${why}`;
    }),
    ...roomCycles(modules),
    ...files
      .filter((path) => path.startsWith("lib/") && roleOf(path) === null)
      .map(
        (path) =>
          `${path}: no role\n    role: a file of lib belongs to a wing or a tool, and its name or folder tells its role`,
      ),
    ...files.flatMap((path) => queries(root, path)),
    ...modules
      .filter((module) => needsServer(module) && !isMarked(module))
      .map(({ source }) => `${source}: begin with import "server-only"`),
    ...files.filter((path) => !seen.has(path)).map((path) => `${path}: not seen by the check`),
  ];
  return { files: files.length, imports: summary.totalDependenciesCruised ?? 0, problems };
}
