// The container's entry. The standalone folder has no next.config.ts and nothing that could read one:
// Next takes the configuration that the build resolved, as its own standalone server does.
import { readFileSync } from "node:fs";

const { config } = JSON.parse(readFileSync(".next/required-server-files.json", "utf8"));
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
await import("./serve.mjs");
