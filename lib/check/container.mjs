// Lints Dockerfile and the compose files; builds and runs nothing.
import { readFileSync } from "node:fs";
import { DCLinter } from "dclint";
import { validate } from "dockerfile-utils";

const COMPOSE_FILES = ["compose.yaml", "docs/deployment/compose/compose.yaml"];
const composeLinter = new DCLinter({
  rules: { "require-quotes-in-ports": [2, { quoteType: "double" }] },
  quiet: true,
  debug: false,
  exclude: [],
});
const dockerfile = readFileSync("Dockerfile", "utf8");
const image = `node:${readFileSync(".nvmrc", "utf8").trim()}-slim`;
const lastStage = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));

const problems = [
  ...validate(dockerfile).map(
    ({ message, range }) =>
      `Dockerfile:${range.start.line + 1} ${typeof message === "string" ? message : message.value}`,
  ),
  ...["USER node", "HEALTHCHECK "]
    .filter((line) => !lastStage.includes(`\n${line}`))
    .map((line) => `Dockerfile: the last stage lacks ${line.trim()}`),
  ...[...dockerfile.matchAll(/^FROM (\S+)/gm)]
    .filter(([, base]) => base !== image)
    .map(([line]) => `Dockerfile: ${line} isn't ${image}, the version in .nvmrc`),
  ...composeLinter
    .lintFiles(COMPOSE_FILES, false)
    .flatMap(({ filePath, messages }) => messages.map(({ line, message }) => `${filePath}:${line} ${message}`)),
];
for (const problem of problems) process.stdout.write(`  ${problem}\n`);
process.stdout.write(`Dockerfile and ${COMPOSE_FILES.length} compose files, ${problems.length} problems\n`);
process.exit(problems.length ? 1 : 0);
