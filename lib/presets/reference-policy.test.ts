import { describe, expect, it } from "vitest";
import { presetReference } from "./reference-policy";

type Naming = Parameters<typeof presetReference>[0];

describe("presetReference", () => {
  it.each<[form: string, naming: Naming, slug: string | null, version: number | null, model: string | undefined]>([
    ["no preset", { model: "a/b" }, null, null, "a/b"],
    ["nothing at all", {}, null, null, undefined],
    ["null", { preset: null }, null, null, undefined],
    ["in place of the model", { model: "@preset/support" }, "support", null, undefined],
    ["beside the model", { model: "a/b", preset: "support" }, "support", null, "a/b"],
    ["alone", { preset: "support" }, "support", null, undefined],
    ["after the model", { model: "a/b@preset/support" }, "support", null, "a/b"],
    ["in place of the model, pinned", { model: "@preset/support@3" }, "support", 3, undefined],
    ["beside the model, pinned", { model: "a/b", preset: "support@12" }, "support", 12, "a/b"],
    ["after the model, pinned", { model: "a/b@preset/s~u.p_p-o@1" }, "s~u.p_p-o", 1, "a/b"],
    ["after a model with a variant", { model: "a/b:free@preset/s" }, "s", null, "a/b:free"],
    ["twice the same", { model: "a/b@preset/s@2", preset: "s@2" }, "s", 2, "a/b"],
    ["an @ in a model's name is none of ours", { model: "a/b@2026" }, null, null, "a/b@2026"],
  ])("%s", (_form, naming, slug, version, model) => {
    expect(presetReference(naming)).toEqual({ reference: slug === null ? null : { slug, version }, model, issues: [] });
  });

  it.each<[fault: string, naming: Naming, paths: string[]]>([
    ["two presets", { model: "@preset/a", preset: "b" }, ["preset"]],
    ["two versions", { model: "@preset/a@1", preset: "a@2" }, ["preset"]],
    ["pinned once only", { model: "@preset/a@1", preset: "a" }, ["preset"]],
    ["no slug", { model: "@preset/" }, ["model"]],
    ["no slug beside", { preset: "" }, ["preset"]],
    ["a malformed slug", { preset: "No Slug" }, ["preset"]],
    ["the long form beside", { preset: "@preset/a" }, ["preset"]],
    ["no version after @", { model: "@preset/a@" }, ["model"]],
    ["version 0", { preset: "a@0" }, ["preset"]],
    ["a version that is no number", { preset: "a@latest" }, ["preset"]],
    ["two versions in one", { model: "@preset/a@1@2" }, ["model"]],
    ["among the fallbacks", { model: "a/b", models: ["c/d", "@preset/a"] }, ["models.1"]],
    ["every fault is named", { model: "@preset/", models: ["@preset/a"], preset: "!" }, ["model", "preset", "models.0"]],
  ])("refuses %s", (_fault, naming, paths) => {
    expect(presetReference(naming).issues.map(({ path }) => path.join("."))).toEqual(paths);
  });
});
