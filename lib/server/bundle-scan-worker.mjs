// Bundles the content filter thread, started by lib/gateway/filters/scan-service.ts, into one file, because threads
// aren't compiled by Next.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Replaces the file atomically: a running server may be starting a thread from it. */
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
