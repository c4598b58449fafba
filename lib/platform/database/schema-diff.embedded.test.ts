import { expect, it } from "vitest";
import { schemaDiff } from "./schema-diff";

it("the migrations match schema.prisma", async () => {
  expect(await schemaDiff()).toBe("");
});
