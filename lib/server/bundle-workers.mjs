// Bundles the code of worker threads, each into one file, because threads aren't compiled by Next.
import { writeBundle } from "./write-bundle.mjs";

/** Started by lib/gateway/filters/scan-service.ts and lib/gateway/tokens/count-service.ts. */
const WORKERS = ["lib/gateway/filters/scan-worker.ts", "lib/gateway/tokens/token-worker.ts"];

export function bundleWorkers() {
  for (const entry of WORKERS) writeBundle(entry.replace(/^.*\/(.+)\.ts$/, "$1.mjs"), { entryPoints: [entry] });
}
