#!/usr/bin/env node
// npm start: builds if the current build is outdated, then serves. With --dev, serves with live reload.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { scriptArguments } from "../platform/script-arguments.mjs";
import { BUILDING, buildName, lockBuilding, publishBuild, useBuild } from "./builds.mjs";
import { GENERATORS } from "./generate.mjs";
import { compressStaticFiles } from "./static-files.mjs";
import { endWithParent, runNode } from "./step.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values } = scriptArguments("npm start", {
  options: { dev: { type: "boolean", default: false }, build: { type: "boolean", default: false } },
  note: "Settings such as PORT are environment variables: docs/configuration.md. --dev serves with live reload, --build only builds",
});
const { dev: isDev, build: buildOnly } = values;
const ATTEMPTS = 3;
/** Folders of a container's build whose files get new names with each build. */
const STANDALONE = ["build", "cache", "node_modules", "server", "standalone", "static"];

/** @param {string} folder @returns {string[]} */
const filesBelow = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("prisma/generated/") && !/\.(test|spec)\.tsx?$/.test(path));

/** Returns a hash of everything a build depends on. */
function sourceHash() {
  const top = readdirSync(root).filter((name) => /\.(json|ts|mjs|js)$/.test(name) && name !== "next-env.d.ts");
  const paths = [...["app", "components", "lib", "prisma"].flatMap(filesBelow), ...top].sort();
  const hash = createHash("sha256").update(process.version);
  for (const path of paths)
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

/** Runs a step and prints its progress. @param {string} label @param {string[]} command */
async function step(label, command) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  process.stdout.write(`${label} …\n`);
  const ticker = setInterval(() => process.stdout.write(`  still working (${seconds()})\n`), 10_000);
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", SIGNALBOX_PAGES_ONLY: "1" };
  let output = "";
  const collect = (/** @type {Buffer} */ chunk) => (output += chunk.toString());
  const code = await runNode(command, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] }, ({ stdout, stderr }) => {
    stdout?.on("data", collect);
    stderr?.on("data", collect);
  });
  clearInterval(ticker);
  if (code !== 0) throw new Error(`${label} failed:\n${output}`);
  process.stdout.write(`  done in ${seconds()}\n`);
}

async function generate() {
  for (const [label, command] of GENERATORS) await step(label, command);
}

/** Compilers are loaded only to build, because a server doesn't need their memory. @param {string} folder */
async function bundleWorkers(folder) {
  const bundler = await import("./bundle-workers.mjs");
  bundler.bundleWorkers(folder);
}

/** @param {string} folder */
async function bundleRoutes(folder) {
  const bundler = await import("./bundle-routes.mjs");
  bundler.bundleRoutes(folder);
}

/** Builds into a folder that nothing uses. @param {string} folder */
async function buildInto(folder) {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  await step("Building", [next, "build"]);
  await bundleRoutes(folder);
  await bundleWorkers(folder);
  await compressStaticFiles(join(root, folder));
}

/** The container's build stays in `.next`, where the Dockerfile expects it. */
async function buildStandalone() {
  await generate();
  for (const name of STANDALONE) rmSync(join(root, ".next", name), { recursive: true, force: true });
  await buildInto(".next");
}

/** Builds unless another process has created the same build meanwhile. */
async function build() {
  const release = await lockBuilding(root, (pid) =>
    process.stdout.write(`Waiting for process ${pid}, which builds …\n`),
  );
  try {
    await generate();
    const name = buildName(sourceHash());
    if (existsSync(join(root, name))) return;
    rmSync(join(root, BUILDING), { recursive: true, force: true });
    await buildInto(BUILDING);
    publishBuild(root, name);
  } finally {
    release();
  }
}

/** Builds in a separate process, because a process doesn't release the memory of a build. */
async function buildApart() {
  const code = await runNode([fileURLToPath(import.meta.url), "--build"], {
    cwd: root,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  if (code !== 0) process.exit(1);
}

/** Returns the folder of the current build, which stays while this process runs. */
async function currentBuild() {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const name = buildName(sourceHash());
    if (useBuild(root, name)) return name;
    await buildApart();
  }
  throw new Error("The source changed while it was built. Start again");
}

process.chdir(root);
endWithParent(process.env);
try {
  if (buildOnly) await (process.env.SIGNALBOX_STANDALONE ? buildStandalone() : build());
  else if (isDev) {
    await generate();
    await bundleWorkers(".next");
  } else process.env.SIGNALBOX_BUILD = await currentBuild();
  if (!buildOnly) await import("./run.mjs");
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
