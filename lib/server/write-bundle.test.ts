import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { root, writeBundle } from "./write-bundle.mjs";

const NAME = `write-bundle-test-${process.pid}.mjs`;
const PATH = join(root, ".next", NAME);

afterAll(() => {
  for (const path of [PATH, `${PATH}.map`]) rmSync(path, { force: true });
});

it("keeps the names of CommonJS packages that are imported on demand", async () => {
  const contents = `
    import { createRequire as requireFrom } from "node:module";
    const require = requireFrom(import.meta.url);
    export const load = async () => {
      const [{ SignatureV4 }, { Hash }, { EventStreamCodec }] = await Promise.all([
        import("@smithy/signature-v4"), import("@smithy/core/serde"), import("@smithy/core/event-streams")]);
      return [SignatureV4, Hash, EventStreamCodec].map((one) => typeof one);
    };`;
  writeBundle(NAME, { stdin: { contents, resolveDir: root } });
  const { load } = (await import(/* @vite-ignore */ pathToFileURL(PATH).href)) as { load: () => Promise<string[]> };
  expect(await load()).toEqual(["function", "function", "function"]);
});
