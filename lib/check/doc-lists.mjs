// Checks that the lists in documents are complete: decisions, guides, scripts, checks, the folders at the top and in lib, and the files
// of lib/platform and lib/engine. `--write` updates the list of decisions; the other lists have a text for each entry and are edited by
// hand.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { isIgnored } from "./ignored.mjs";

const DECISIONS = "docs/decisions/README.md";
const MAP = "docs/architecture.md";

/** @param {string} path */
const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");

/** Returns the rows of a section's tables, without their headers. @param {string} path @param {string} title @returns {string[]} */
function tableOf(path, title) {
  const section =
    read(path)
      .split(/^(?=## )/m)
      .find((part) => part.startsWith(`## ${title}\n`)) ?? "";
  return section
    .split("\n")
    .filter(
      (line, index, lines) =>
        line.startsWith("|") && !/^\|[-:| ]+$/.test(line) && !/^\|[-:| ]+$/.test(lines[index + 1] ?? ""),
    );
}

/** @type {string[]} */
const problems = [];

/** @param {string} where @param {Iterable<string>} listed @param {Iterable<string>} actual */
function compare(where, listed, actual) {
  const [named, found] = [new Set(listed), new Set(actual)];
  for (const name of found) if (!named.has(name)) problems.push(`${where} lacks ${name}`);
  for (const name of named) if (!found.has(name)) problems.push(`${where} names ${name}, which doesn't exist`);
}

const decisions = readdirSync("docs/decisions")
  .filter((name) => /^\d{4}-.+\.md$/.test(name))
  .sort()
  .map((name) => {
    const number = name.slice(0, 4);
    const text = read(`docs/decisions/${name}`);
    const title = new RegExp(`^# ${number} (.+)$`, "m").exec(text)?.[1];
    if (!title) problems.push(`docs/decisions/${name} doesn't begin with "# ${number} <title>"`);
    return `| [${number}](${name}) | ${title ?? ""} |`;
  });
const index = `# Decisions

Each file states the context of a decision, the decision, its consequences, and the test or rule that checks it.
A decision that is replaced is rewritten or deleted.

| Number | Decision |
|---|---|
${decisions.join("\n")}
`;
if (process.argv.includes("--write")) writeFileSync(DECISIONS, index);
else if (read(DECISIONS) !== index)
  problems.push(`${DECISIONS} isn't current: run node lib/check/doc-lists.mjs --write`);

compare(
  "docs/README.md",
  [...read("docs/README.md").matchAll(/\]\(((?:migrate\/)?[\w-]+\.md)\)/g)].map(([, name = ""]) => name),
  ["docs", "docs/migrate"]
    .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`.slice("docs/".length)))
    .filter((name) => name.endsWith(".md") && name !== "README.md"),
);

const scripts = tableOf("CONTRIBUTING.md", "Scripts").flatMap((row) =>
  [...(row.split("|")[1] ?? "").matchAll(/`(?:npm (?:run )?)?([\w:-]+)(?: [^`]*)?`/g)].map(([, name = ""]) => name),
);
const isHook = (/** @type {string} */ name) => /^(pre|post)/.test(name);
compare(
  "CONTRIBUTING.md, Scripts,",
  scripts,
  Object.keys(JSON.parse(read("package.json")).scripts).filter((name) => !isHook(name)),
);

const checks = [...read("lib/check/all.mjs").matchAll(/^ {2}\[\s*"([\w ]+)",/gm)].map(([, name = ""]) => name);
compare(
  "CONTRIBUTING.md, Checks,",
  tableOf("CONTRIBUTING.md", "Checks").map((row) => row.split("|")[1]?.trim() ?? ""),
  checks,
);

if (existsSync(MAP)) {
  const text = read(MAP);
  const below = (/** @type {string} */ folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${folder}/${name}`)
      .filter((path) => !isIgnored(path));
  for (const folder of below("lib").flatMap((parent) => [parent, ...below(parent)]))
    if (!new RegExp(`${folder}(?![\\w-])`).test(text)) problems.push(`${MAP} lacks ${folder}`);
  for (const folder of ["lib/platform", "lib/engine"].filter(existsSync))
    for (const name of readdirSync(folder))
      if (/(?<!\.test)\.(ts|mjs)$/.test(name) && !text.includes(`\`${name}\``))
        problems.push(`${MAP} lacks ${folder}/${name}`);
  for (const { name } of readdirSync(".", { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    if (!isIgnored(name) && !text.includes(`\`${name}\``)) problems.push(`${MAP} lacks ${name}`);
}

for (const problem of problems) process.stdout.write(`  ${problem}\n`);
process.stdout.write(
  `${decisions.length} decisions, ${scripts.length} scripts, ${checks.length} checks, ${problems.length} problems\n`,
);
process.exit(problems.length > 0 || decisions.length === 0 || checks.length === 0 ? 1 : 0);
