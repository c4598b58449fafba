// Bundles the code of worker threads and of the process that migrates, each into one file, because they aren't compiled by Next.
import { EXTERNAL_PACKAGES } from "./external-packages.mjs";
import { writeBundle } from "./write-bundle.mjs";

/** Started by lib/gateway/filters/scan-service.ts and lib/gateway/tokens/count-service.ts. */
const THREADS = ["lib/gateway/filters/scan-worker.ts", "lib/gateway/tokens/token-worker.ts"];
/** Started by lib/platform/database/prepare-apart.ts. */
const PREPARATION = "lib/platform/database/prepare-worker.ts";

/** @param {string} entry */
const nameOf = (entry) => entry.replace(/^.*\/(.+)\.ts$/, "$1.mjs");

/** @param {string} folder of the build */
export function bundleWorkers(folder) {
  for (const entry of THREADS) writeBundle(nameOf(entry), { entryPoints: [entry] }, folder);
  writeBundle(nameOf(PREPARATION), { entryPoints: [PREPARATION], external: EXTERNAL_PACKAGES }, folder);
}
