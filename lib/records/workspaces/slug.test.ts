import fc from "fast-check";
import { expect, it } from "vitest";
import { CreateWorkspaceBody } from "./contract";
import { slugOf } from "./slug";

it.each([
  ["Research", "research"],
  ["  Équipe R&D  ", "equipe-r-d"],
  ["A - B", "a-b"],
  ["日本", ""],
  ["x".repeat(49) + " y", "x".repeat(49)],
  ["x".repeat(80), "x".repeat(50)],
])("the slug of %j is %j", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

it("is a valid slug for every name that has one", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), (name) => {
      const slug = slugOf(name);
      if (slug) expect(CreateWorkspaceBody.shape.slug.safeParse(slug).success).toBe(true);
    }),
  );
});
