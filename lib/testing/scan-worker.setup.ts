import { bundleScanWorker } from "../server/bundle-scan-worker.mjs";

/** Tests run the content filters as they are now, in the threads that run them in production. */
export default bundleScanWorker;
