// Checks that every path that a document or a comment cites exists, and the section that it names. Placeholders
// (`lib/<noun>/contract.ts`, `app/v1/**/route.ts`) must match at least one path.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { isIgnored } from "./ignored.mjs";

/** Lists every file and folder below a folder. @param {string} folder @returns {string[]} */
const walk = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (isIgnored(path)) return [];
    return entry.isDirectory() ? [path, ...walk(path)] : [path];
  });

const paths = walk(".");
const known = new Set(paths);
const byBaseName = new Map(paths.map((path) => [path.slice(path.lastIndexOf("/") + 1), path]));
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

/** Anchors of a Markdown document, as GitHub derives them from headings. @param {string} path */
function anchorsOf(path) {
  const text = readFileSync(path, "utf8");
  const headings = [...text.matchAll(/^#+ +(.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)]);
}

const isPath = (/** @type {string} */ code) => {
  const [first = ""] = code.split("/");
  if (code.startsWith("./") || code.startsWith("../")) return true;
  if (code.includes("/")) return topLevel.has(first);
  return /^[\w.-]+\.(tsx?|mjs|md|json|ya?ml|prisma|sql|css)(#.*)?$/.test(code);
};

/** Returns the targets of links, relative to the document, and paths between backticks. @param {string} text @returns {string[]} */
function citedByDocument(text) {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^([a-z]+:|\/)/.test(target))
    .map((target) => (/^[.#]/.test(target) ? target : `./${target}`));
  const quoted = [...prose.matchAll(/`([^`\s]+)`/g)].map(([, code = ""]) => code);
  return [...links, ...quoted.filter(isPath)];
}

/** Returns the words that look like a path of this repository, between backticks or not. @param {string} text @returns {string[]} */
const citedByComment = (text) =>
  [...text.matchAll(/(?<![\w/.:@$-])(?:[\w.-]+\/[^\s`'",;]*|[\w.-]+\.(?:md|mjs|tsx?|prisma)\b(?:#[\w-]+)?)/g)]
    .map(([word]) => word.replace(/[.:)?!]+$/, (end) => (word.includes("(") && end.startsWith(")") ? ")" : "")))
    .filter((word) => isPath(word) && !word.startsWith("."));

/** Returns the comments of a TypeScript or JavaScript file, which is parsed only if its text cites a path. @param {string} path @param {string} text */
function commentsOf(path, text) {
  if (citedByComment(text).length === 0) return "";
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {Map<number, string>} */
  const found = new Map();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.JsxText) return;
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) found.set(pos, text.slice(pos, end));
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return [...found.values()].join("\n");
}

/** @type {[RegExp, (path: string, text: string) => string[]][]} */
const READERS = [
  [/\.md$/, (_, text) => citedByDocument(text)],
  [/\.(tsx?|mjs)$/, (path, text) => citedByComment(commentsOf(path, text))],
  [/\.(prisma|ya?ml)$/, (_, text) => citedByComment((text.match(/(?:^|\s)(?:#|\/\/).*$/gm) ?? []).join("\n"))],
];

/** Returns the error of a citation; null if it is correct. @param {string} from @param {string} target */
function problemOf(from, target) {
  const [, cited = "", anchor] = /^([^#:]*)(?:#([\w-]+))?/.exec(target) ?? [];
  const path = cited.replace(/\/$/, "");
  const relative = normalize(join(dirname(from), path));
  if (isIgnored(relative) || isIgnored(normalize(path))) return null;
  const candidates = path.startsWith(".") ? [relative] : [path, `${path}.ts`, relative, byBaseName.get(path) ?? path];
  const found = path === "" ? from : candidates.find(exists);
  if (found === undefined) return `${path.replace(/^\.\//, "")} doesn't exist`;
  if (anchor && found.endsWith(".md") && !anchorsOf(found).has(anchor)) return `${found} has no section #${anchor}`;
  return null;
}

let files = 0;
const citations = paths.flatMap((from) => {
  const read = READERS.find(([name]) => name.test(from))?.[1];
  if (!read) return [];
  files += 1;
  return read(from, readFileSync(from, "utf8")).map((target) => ({ from, target }));
});
const broken = citations.flatMap(({ from, target }) => {
  const problem = problemOf(from, target);
  return problem ? [`${from}: ${problem}`] : [];
});
for (const line of new Set(broken)) process.stdout.write(`  ${line}\n`);
process.stdout.write(`${files} documents and sources, ${citations.length} citations, ${broken.length} broken\n`);
process.exit(broken.length > 0 || citations.length === 0 ? 1 : 0);
