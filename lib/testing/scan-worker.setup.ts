import { bundleScanWorker } from "../server/bundle-scan-worker.mjs";

/** Bundles the current content filters for worker threads, as in production. */
export default bundleScanWorker;
