import "server-only";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import { processWide } from "../process-wide";

export const prismaFolder = () => join(process.cwd(), "prisma");

/** Compares everything in the database. */
export const noFilters = { externalTables: [], externalEnums: [] };

export async function readSchema(): Promise<{ path: string; content: string }> {
  const path = join(prismaFolder(), "schema.prisma");
  return { path, content: await readFile(path, "utf8") };
}

/** Prints the engine's panic message, which would otherwise be lost in a TypeError. */
const panicRegistry = { set_message: (message: string) => process.stderr.write(`${message}\n`) };

type Bindings = typeof import("@prisma/schema-engine-wasm/schema_engine_bg");

/** The bindings support a single instance per process; a second one would invalidate the first. */
const bindingsOnce = processWide("schema engine", loadBindings);

async function loadBindings(): Promise<Bindings> {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panicRegistry });
  const packagePath = createRequire(join(process.cwd(), "package.json")).resolve("@prisma/schema-engine-wasm");
  const wasmPath = join(dirname(packagePath), "schema_engine_bg.wasm");
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const { instance } = await WebAssembly.instantiate(await readFile(wasmPath), {
    "./schema_engine_bg.js": { ...bindings },
  });
  const wasm = instance.exports as Record<string, unknown> & { __wbindgen_start?: () => void };
  bindings.__wbg_set_wasm(wasm);
  wasm.__wbindgen_start?.();
  return bindings;
}

/** Loads Prisma's migration engine as WebAssembly: no download and no child process. */
export async function openSchemaEngine(adapters: SqlMigrationAwareDriverAdapterFactory): Promise<SchemaEngine> {
  const bindings = await bindingsOnce();
  const schema = await readSchema();
  const bound = bindMigrationAwareSqlAdapterFactory(adapters);
  return bindings.SchemaEngine.new({ datamodels: [[schema.path, schema.content]] }, () => undefined, bound);
}
