// Bundles the code of worker threads, each into one file, because threads aren't compiled by Next.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Started by lib/gateway/filters/scan-service.ts and lib/gateway/tokens/count-service.ts. */
const WORKERS = ["lib/gateway/filters/scan-worker.ts", "lib/gateway/tokens/token-worker.ts"];

/** Replaces the files atomically: a running server may be starting a thread from them. */
export function bundleWorkers() {
  for (const entry of WORKERS) {
    const target = join(root, ".next", entry.replace(/^.*\/(.+)\.ts$/, "$1.mjs"));
    const { outputFiles } = buildSync({
      absWorkingDir: root,
      entryPoints: [entry],
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
}
