import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Code that is imported only when it is needed, below `.next`. */
const CHUNKS = "bundle-chunks";

/**
 * Writes one entry and everything it imports to `.next/<name>` and to chunks, which are loaded by `import()`, each with a source map,
 * which only profiles read. Replaces files atomically, and the entry last: a running server may be starting a thread from it.
 * @param {string} name @param {import("esbuild").BuildOptions} entry
 */
export function writeBundle(name, entry) {
  const folder = join(root, ".next");
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // `server-only` fails outside of this condition.
    conditions: ["react-server"],
    ...entry,
    outdir: folder,
    entryNames: name.replace(/\.mjs$/, ""),
    splitting: true,
    chunkNames: `${CHUNKS}/[name]-[hash]`,
    outExtension: { ".js": ".mjs" },
    sourcemap: "external",
    sourcesContent: false,
    write: false,
  });
  const last = join(folder, name);
  for (const { path, contents } of outputFiles.toSorted((a, b) => Number(a.path === last) - Number(b.path === last))) {
    mkdirSync(dirname(path), { recursive: true });
    const written = `${path}.${process.pid}`;
    writeFileSync(written, contents);
    renameSync(written, path);
  }
}
