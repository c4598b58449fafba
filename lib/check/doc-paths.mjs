// Every path that a Markdown file cites, in a link or between backticks, leads to a file or folder.
// Placeholders (`lib/<noun>/contract.ts`, `app/v1/**/route.ts`) must fit at least one.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Made by a build, a test run or an install: absent from a fresh checkout. */
const IGNORED = /^(node_modules|\.git|\.next|\.signalbox|test-results)(\/|$)|^prisma\/generated\//;

/** Every file and folder below one. @param {string} folder @returns {string[]} */
const walk = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (IGNORED.test(path)) return [];
    return entry.isDirectory() ? [path, ...walk(path)] : [path];
  });

const paths = walk(".");
const known = new Set(paths);
const baseNames = new Set(paths.map((path) => path.slice(path.lastIndexOf("/") + 1)));
const topLevel = new Set(paths.filter((path) => !path.includes("/")));

/** @param {string} cited */
function exists(cited) {
  if (!/[<*{…]/.test(cited)) return known.has(cited);
  const pattern = cited
    .split(/(\*\*|…|\*|<[^>]*>|\{[^}]*\})/)
    .map((part, index) =>
      index % 2 === 0 ? part.replace(/[.+?^$()|[\]\\]/g, "\\$&") : part === "**" || part === "…" ? ".*" : "[^/]*",
    )
    .join("");
  return paths.some((path) => new RegExp(`^${pattern}$`).test(path));
}

/** The paths that a text cites, relative to its folder or to the root. @param {string} text @returns {string[]} */
function citations(text) {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^([a-z]+:|#|\/)/.test(target));
  const quoted = [...prose.matchAll(/`([^`\s]+)`/g)].map(([, code = ""]) => code);
  const isPath = (/** @type {string} */ code) => {
    const [first = ""] = code.split("/");
    if (code.startsWith("./") || code.startsWith("../")) return true;
    if (code.includes("/")) return topLevel.has(first);
    return /^[\w.-]+\.(tsx?|mjs|md|json|ya?ml|prisma|sql|css)$/.test(code);
  };
  return [...links, ...quoted.filter(isPath)]
    .map((target) => target.replace(/[#:].*$/, "").replace(/\/$/, ""))
    .filter(Boolean);
}

const documents = paths.filter((path) => path.endsWith(".md"));
const cited = documents.flatMap((document) =>
  citations(readFileSync(document, "utf8")).map((path) => ({ document, path })),
);
const broken = cited.filter(({ document, path }) => {
  if (baseNames.has(path) || IGNORED.test(normalize(path))) return false;
  return !exists(normalize(path)) && !exists(normalize(join(dirname(document), path)));
});
for (const { document, path } of broken) process.stdout.write(`  ${document}: ${path} doesn't exist\n`);
process.stdout.write(`${documents.length} documents, ${cited.length} paths, ${broken.length} broken\n`);
process.exit(broken.length > 0 || documents.length === 0 ? 1 : 0);
