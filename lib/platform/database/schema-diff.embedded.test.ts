import { expect, it } from "vitest";
import { schemaDiff } from "./schema-diff";

it("the migrations lead to schema.prisma: no drift", async () => {
  expect(await schemaDiff()).toBe("");
});
