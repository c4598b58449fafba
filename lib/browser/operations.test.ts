import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { browserOperations, FOLDER } from "../check/browser-operations";

it("knows the operations as the contracts declare them (npm run generate:operations)", async () => {
  const written = Object.fromEntries(
    readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]),
  );
  expect(written).toEqual(await browserOperations());
});
