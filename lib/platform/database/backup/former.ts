import "server-only";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { StartError } from "../../start-error";
import { lockDataFolder } from "../process-lock";
import { readContents, selectFrom } from "./contents";
import type { Backup } from "./load";

/** The embedded database of versions up to 0.2. */
const ENGINE = "@electric-sql/pglite@0.5.14";
/** Pages of 8 kB read at a time, because the engine returns rows in memory. */
const PAGES = 1_000;

interface Engine {
  query: (sql: string) => Promise<{ rows: Record<string, unknown>[]; blob?: Blob }>;
  close: () => Promise<void>;
}

const dataOf = (from: string): string => join(from, "pgdata");

export const hasFormerDatabase = (from: string): boolean => existsSync(dataOf(from));

/**
 * Reads the database in a data folder of versions up to 0.2, or in a copy of it. Its engine is no longer part of Signalbox, so npm
 * installs it into a temporary folder.
 */
export async function readFormerDatabase(from: string): Promise<Backup> {
  const unlock = await lockDataFolder(from);
  const folder = mkdtempSync(join(tmpdir(), "signalbox-former-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await install(folder);
    const data = join(folder, "pgdata");
    cpSync(dataOf(from), data, { recursive: true });
    const engine = await openEngine(folder, data);
    const pieces = async function* (table: Parameters<Backup["rows"]>[0]) {
      const { rows } = await engine.query(`
        SELECT (max(pg_relation_size(relid)) / current_setting('block_size')::int)::int AS pages
        FROM pg_partition_tree('${table.name}'::regclass) WHERE isleaf`);
      for (let page = 0; page <= Number(rows[0]?.["pages"]); page += PAGES) {
        const inPages = `ctid >= '(${page},0)'::tid AND ctid < '(${page + PAGES},0)'::tid`;
        const { blob } = await engine.query(`COPY (${selectFrom(table)} AND ${inPages}) TO '/dev/blob'`);
        if (blob && blob.size > 0) yield Readable.fromWeb(blob.stream() as ReadableStream);
      }
    };
    const close = () => engine.close().finally(remove);
    return { contents: await readContents(engine.query.bind(engine)), rows: pieces, close };
  } catch (error) {
    remove();
    throw error;
  } finally {
    unlock();
  }
}

async function openEngine(folder: string, data: string): Promise<Engine> {
  const path = createRequire(join(folder, "package.json")).resolve("@electric-sql/pglite");
  const { PGlite } = (await import(/* turbopackIgnore: true */ path)) as {
    PGlite: { create: (folder: string) => Promise<Engine> };
  };
  return PGlite.create(data);
}

async function install(folder: string): Promise<void> {
  const options = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", ENGINE];
  const child = spawn("npm", options, { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0)
    throw new StartError(`npm can't install ${ENGINE}, which is needed to read this database: ${output.trim()}`);
}
