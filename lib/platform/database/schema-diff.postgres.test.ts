import { expect, inject, it } from "vitest";
import { createDatabase } from "../../testing/test-context";
import { schemaDiff } from "./schema-diff";

it("the migrations match schema.prisma", async () => {
  expect(await schemaDiff(await createDatabase(inject("postgresUrl")))).toBe("");
});
