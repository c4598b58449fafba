import { describe, expect, it } from "vitest";
import { presetReference } from "./reference";

type Naming = Parameters<typeof presetReference>[0];

describe("presetReference", () => {
  it.each<
    [form: string, naming: Naming, slug: string | null, target: number | string | null, model: string | undefined]
  >([
    ["no preset", { model: "a/b" }, null, null, "a/b"],
    ["nothing at all", {}, null, null, undefined],
    ["null", { preset: null }, null, null, undefined],
    ["instead of the model", { model: "@preset/support" }, "support", null, undefined],
    ["beside the model", { model: "a/b", preset: "support" }, "support", null, "a/b"],
    ["alone", { preset: "support" }, "support", null, undefined],
    ["appended to the model", { model: "a/b@preset/support" }, "support", null, "a/b"],
    ["instead of the model, pinned", { model: "@preset/support@3" }, "support", 3, undefined],
    ["beside the model, pinned", { model: "a/b", preset: "support@12" }, "support", 12, "a/b"],
    ["appended to the model, pinned", { model: "a/b@preset/s~u.p_p-o@1" }, "s~u.p_p-o", 1, "a/b"],
    ["appended to a model with a variant", { model: "a/b:free@preset/s" }, "s", null, "a/b:free"],
    ["the same reference twice", { model: "a/b@preset/s@2", preset: "s@2" }, "s", 2, "a/b"],
    ["instead of the model, by label", { model: "@preset/support:prod" }, "support", "prod", undefined],
    ["beside the model, by label", { model: "a/b:free", preset: "s~u.p:canary-2" }, "s~u.p", "canary-2", "a/b:free"],
    [
      "appended to a model with a variant, by label",
      { model: "a/b:free@preset/s:eu_west.1" },
      "s",
      "eu_west.1",
      "a/b:free",
    ],
    ["the same label twice", { model: "@preset/s:prod", preset: "s:prod" }, "s", "prod", undefined],
    ["an @ in a model's name isn't a reference", { model: "a/b@2026" }, null, null, "a/b@2026"],
  ])("%s", (_form, naming, slug, target, model) => {
    const pinned = {
      version: typeof target === "number" ? target : null,
      label: typeof target === "string" ? target : null,
    };
    expect(presetReference(naming)).toEqual({
      reference: slug === null ? null : { slug, ...pinned },
      model,
      issues: [],
    });
  });

  it.each<[fault: string, naming: Naming, paths: string[]]>([
    ["two presets", { model: "@preset/a", preset: "b" }, ["preset"]],
    ["two versions", { model: "@preset/a@1", preset: "a@2" }, ["preset"]],
    ["only one is pinned", { model: "@preset/a@1", preset: "a" }, ["preset"]],
    ["no slug", { model: "@preset/" }, ["model"]],
    ["no slug beside", { preset: "" }, ["preset"]],
    ["a malformed slug", { preset: "No Slug" }, ["preset"]],
    ["the long form beside", { preset: "@preset/a" }, ["preset"]],
    ["no version after @", { model: "@preset/a@" }, ["model"]],
    ["version 0", { preset: "a@0" }, ["preset"]],
    ["a non-numeric version", { preset: "a@latest" }, ["preset"]],
    ["two versions in one", { model: "@preset/a@1@2" }, ["model"]],
    ["two labels", { model: "@preset/a:prod", preset: "a:canary" }, ["preset"]],
    ["only one has a label", { model: "@preset/a:prod", preset: "a" }, ["preset"]],
    ["a label and a version", { model: "@preset/a:prod@1" }, ["model"]],
    ["a version and a label", { preset: "a@1:prod" }, ["preset"]],
    ["no label after :", { model: "@preset/a:" }, ["model"]],
    ["a number as label", { model: "@preset/a:3" }, ["model"]],
    ["a label in capitals", { preset: "a:Prod" }, ["preset"]],
    ["a label of 33 characters", { preset: `a:${"x".repeat(33)}` }, ["preset"]],
    ["a label with a line break", { preset: "a:prod\n" }, ["preset"]],
    ["in the fallback models", { model: "a/b", models: ["c/d", "@preset/a"] }, ["models.1"]],
    [
      "every error is reported",
      { model: "@preset/", models: ["@preset/a"], preset: "!" },
      ["model", "preset", "models.0"],
    ],
  ])("rejects %s", (_fault, naming, paths) => {
    expect(presetReference(naming).issues.map(({ path }) => path.join("."))).toEqual(paths);
  });
});
