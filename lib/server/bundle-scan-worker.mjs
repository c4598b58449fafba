// Bundles the content filters' worker thread into one file, which lib/gateway/filters/scan-service.ts starts:
// a thread has no part in what Next compiles.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Replaces the file at once: a running server may be starting a thread from it. */
export function bundleScanWorker() {
  const target = join(root, ".next/scan-worker.mjs");
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: ["lib/gateway/filters/scan-worker.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    write: false,
  });
  mkdirSync(dirname(target), { recursive: true });
  const written = `${target}.${process.pid}`;
  for (const { contents } of outputFiles) writeFileSync(written, contents);
  renameSync(written, target);
}
