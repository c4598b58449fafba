// Entry point of the container. The standalone folder has no next.config.ts, so Next uses the resolved configuration of
// the build, like its own standalone server.
import { readFileSync } from "node:fs";

const { config } = JSON.parse(readFileSync(".next/required-server-files.json", "utf8"));
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
await import("./run.mjs");
