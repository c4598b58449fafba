import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Writes one entry and everything it imports to a file of the build, and its source map, which only profilers read, beside it.
 * Replaces files atomically, because a running server may be starting a thread from one. The code is in one file, because esbuild's
 * chunks of CommonJS packages lose the names that `import()` should return.
 * @param {string} name @param {import("esbuild").BuildOptions} entry @param {string} [folder] of the build
 */
export function writeBundle(name, entry, folder = ".next") {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // `server-only` fails outside of this condition.
    conditions: ["react-server"],
    ...entry,
    outfile: join(root, folder, name),
    sourcemap: "external",
    sourcesContent: false,
    write: false,
  });
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    const written = `${path}.${process.pid}`;
    writeFileSync(written, contents);
    renameSync(written, path);
  }
}
