// Replaces the package's module of the same content in the server's bundle.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const PATH = "@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs";

/** Reads the compiler when `Buffer.from` takes its value, and keeps nothing of it. */
export const wasm = {
  valueOf: () => {
    const { resolve } = createRequire(join(process.cwd(), "package.json"));
    return readFileSync(resolve(PATH), "latin1").split('"', 2)[1] ?? "";
  },
};
