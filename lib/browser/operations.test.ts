import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { browserOperations } from "../check/browser-operations";

it("knows the operations as the contracts declare them (npm run generate:operations)", async () => {
  expect(readFileSync(new URL("operations.ts", import.meta.url), "utf8")).toBe(await browserOperations());
});
