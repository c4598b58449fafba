#!/usr/bin/env node
// node lib/cli/signalbox.mjs: bundles and runs the command-line tool, which uses only the public API.
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("./main.ts", import.meta.url))],
  bundle: true,
  write: false,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "error",
  // The YAML parser is CommonJS and loads Node modules with `require`.
  banner: {
    js: `import { createRequire } from "node:module"; const require = createRequire(${JSON.stringify(import.meta.url)});`,
  },
});
const source = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
/** @type {typeof import("./main")} */
const { main } = await import(`data:text/javascript;base64,${source}`);
process.exitCode = await main(process.argv.slice(2), {
  environment: process.env,
  now: new Date(),
  isTerminal: process.stdout.isTTY && !process.env["NO_COLOR"],
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
