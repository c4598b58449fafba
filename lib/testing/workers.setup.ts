import { bundleWorkers } from "../server/bundle-workers.mjs";

/** Bundles the current code of worker threads, as in production. */
export default () => bundleWorkers(".next");
