import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Writes one entry and everything it imports to `.next/<name>`. Replaces the file atomically: a running server may be
 * starting a thread from it.
 * @param {string} name @param {import("esbuild").BuildOptions} entry
 */
export function writeBundle(name, entry) {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // `server-only` fails outside of this condition.
    conditions: ["react-server"],
    ...entry,
    write: false,
  });
  const target = join(root, ".next", name);
  mkdirSync(dirname(target), { recursive: true });
  const written = `${target}.${process.pid}`;
  for (const { contents } of outputFiles) writeFileSync(written, contents);
  renameSync(written, target);
}
