import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { SERVER_VARIABLES } from "../global-setup";
import { expect, test } from "../own-server";
import { MANAGEMENT_KEY, ROOT } from "../server";

const run = promisify(execFile);
const FOLDER = "docs/recipes";
const recipes = readdirSync(FOLDER).filter((name) => name.endsWith(".md") && name !== "README.md");
const pages = [...recipes.map((name) => `${FOLDER}/${name}`), "docs/migrate/litellm.md"];
const MOVE = `${FOLDER}/laptop-to-postgresql.md`;

/** Commands of a page, including those within lists. */
const commandsOf = (page: string): string =>
  [...readFileSync(page, "utf8").matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)]
    .map(([, indent = "", text = ""]) => text.replaceAll(new RegExp(`^${indent}`, "gm"), ""))
    .join("\n");

/** Expected texts follow commands as comments. The output up to such a group of comments must contain its texts. */
function withMarks(commands: string): { script: string; expected: string[][] } {
  const expected: string[][] = [];
  let isInGroup = false;
  const lines = commands.split("\n").map((line) => {
    const [, text] = /^# → (.+)$/.exec(line) ?? [];
    const isFirst = text !== undefined && !isInGroup;
    isInGroup = text !== undefined;
    if (isFirst) expected.push([]);
    if (text !== undefined) expected.at(-1)?.push(text);
    return isFirst ? "echo @@" : line;
  });
  return { script: lines.join("\n"), expected };
}

async function runPage(
  page: string,
  replaced: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
) {
  const { script, expected } = withMarks(commandsOf(page));
  let text = `set -eo pipefail\n${commandsOf(`${FOLDER}/README.md`)}\n${script}`;
  for (const [placeholder, value] of Object.entries(replaced)) text = text.replaceAll(placeholder, value);
  // Without the start file of this machine's shell.
  const options = { cwd: ROOT, env: { ...process.env, BASH_ENV: "", ...env } };
  const { stdout } = await run("bash", ["-c", text], options).catch((error: unknown) => {
    const { stdout: out, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${page} fails:\n${out}\n${stderr}`);
  });
  const outputs = stdout.split("@@\n");
  for (const [index, texts] of expected.entries())
    for (const each of texts) expect(outputs[index], `${page}: output ${index + 1}`).toContain(each);
  expect(expected.length).toBeGreaterThan(0);
}

test("the index names every recipe", () => {
  const index = readFileSync(join(FOLDER, "README.md"), "utf8");
  const named = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(recipes));
});

for (const page of pages.filter((path) => path !== MOVE))
  test(`${page} does what it says`, async ({ own }) => {
    const { url } = await own.start();
    const folder = mkdtempSync(join(tmpdir(), "signalbox-recipes-"));
    const replaced = {
      "sb-mgmt-v1-…": MANAGEMENT_KEY,
      "http://127.0.0.1:3000": url,
      "sk-ant-…": "sk-ant-example",
      "sk-…": "sk-example",
      "AZURE_API_KEY=…": "AZURE_API_KEY=example",
      " config.yaml": ` ${join(folder, "config.yaml")}`,
      " policy.yaml": ` ${join(folder, "policy.yaml")}`,
    };
    await runPage(page, replaced, {});
    rmSync(folder, { recursive: true, force: true });
  });

test(`${MOVE} does what it says`, async ({ own }) => {
  const { url } = await own.start();
  const base = process.env[SERVER_VARIABLES.postgresDatabase] ?? "";
  const name = `recipe_${randomUUID().replaceAll("-", "")}`;
  const client = new Client({ connectionString: base });
  await client.connect();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-recipes-"));
  const database = new URL(base);
  database.pathname = `/${name}`;
  const data = own.variables["SIGNALBOX_DATA_DIR"] ?? "";
  try {
    await client.query(`CREATE DATABASE ${name}`);
    const replaced = {
      "postgresql://signalbox@db.example/signalbox": database.href,
      "./backup": join(folder, "backup"),
      ".signalbox/secret-key": join(data, "secret-key"),
      "npm start": "",
      "sb-mgmt-v1-…": MANAGEMENT_KEY,
      "http://127.0.0.1:3000": url,
    };
    await runPage(MOVE, replaced, { SIGNALBOX_DATA_DIR: data });
    const moved = await own.start({
      DATABASE_URL: database.href,
      SIGNALBOX_SECRET_KEY: readFileSync(join(data, "secret-key"), "utf8").trim(),
      SIGNALBOX_DATA_DIR: join(folder, "data"),
    });
    const answer = await fetch(`${moved.url}/v1/keys`, { headers: { authorization: `Bearer ${MANAGEMENT_KEY}` } });
    expect(answer.status).toBe(200);
    await moved.stop();
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  }
});
