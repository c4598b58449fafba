// Checks the import rules of lib/boundaries.mjs, and that no source file escaped them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import ruleSet from "../boundaries.mjs";

const FOLDERS = ["app", "components", "lib", "prisma", "e2e", "bench"];
const FEWEST_MODULES = 150;

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith("prisma/generated/")),
);

const { output } = await cruise(
  FOLDERS,
  {
    validate: true,
    ruleSet,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: ["node_modules", "^prisma/generated/"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
    outputType: "json",
  },
  {},
  { tsConfig: extractTSConfig("tsconfig.json") },
);
/** @type {import("dependency-cruiser").ICruiseResult} */
const result = typeof output === "string" ? JSON.parse(output) : output;

const seen = new Set(result.modules.map(({ source }) => source));
const unseen = sources.filter((path) => !seen.has(path));
/** Whether it holds what only a server has: a bundle that pulled it into the browser must not build. @param {import("dependency-cruiser").IModule} module */
const needsServer = ({ source, dependencies }) =>
  /^lib\/(?!testing|check|demo|cli|content-filters\/training).*(?<!\.test)\.ts$/.test(source) &&
  (source.endsWith("/service.ts") ||
    dependencies.some(
      ({ resolved, dependencyTypes }) => resolved.startsWith("prisma/generated/") || dependencyTypes.includes("core"),
    ));
/** @param {import("dependency-cruiser").IModule} module */
const isMarked = ({ dependencies }) =>
  dependencies.some(({ resolved }) => resolved.startsWith("node_modules/server-only/"));

const problems = [
  ...result.summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle?.length ? cycle.map(({ name }) => name).join(" → ") : to;
    const why = ruleSet.forbidden.find(({ name }) => name === rule.name)?.comment;
    return `${from} → ${path}\n    ${rule.name}: ${why}`;
  }),
  ...result.modules
    .filter((module) => needsServer(module) && !isMarked(module))
    .map(({ source }) => `${source}: begin with import "server-only"`),
  ...unseen.map((path) => `${path}: not seen by the check`),
  ...(sources.length < FEWEST_MODULES ? [`only ${sources.length} source files found, ${FEWEST_MODULES} expected`] : []),
];
for (const problem of problems) process.stdout.write(`  ${problem}\n`);
process.stdout.write(
  `${sources.length} files, ${result.summary.totalDependenciesCruised} imports, ${problems.length} against the rules\n`,
);
process.exit(problems.length ? 1 : 0);
