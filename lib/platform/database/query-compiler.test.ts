import { expect, it } from "vitest";
import { wasm } from "./query-compiler.mjs";

const PATH = "@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs";

it("has the compiler of the package", async () => {
  const published = (await import(/* @vite-ignore */ PATH)) as { wasm: string };
  expect(Buffer.from(wasm, "base64").equals(Buffer.from(published.wasm, "base64"))).toBe(true);
});
