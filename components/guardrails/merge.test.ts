import { describe, expect, it } from "vitest";
import { EMPTY_VALUES, type GuardrailValues } from "./guardrail-values";
import { mergedValues, mergeFields } from "./merge";

const values = (fields: Partial<GuardrailValues>): GuardrailValues => ({ ...EMPTY_VALUES, name: "G", ...fields });
const base = values({ description: "before", limit_usd: 1 });

describe("mergeFields", () => {
  it("reports who changed each differing field", () => {
    const theirs = values({ description: "theirs", limit_usd: 2 });
    const yours = values({ description: "yours", limit_usd: 1, allowed_models: ["a"] });
    expect(mergeFields(base, theirs, yours)).toEqual([
      { field: "description", changedBy: "both" },
      { field: "allowed_models", changedBy: "yours" },
      { field: "limit_usd", changedBy: "theirs" },
    ]);
  });

  it("omits identical changes", () => {
    const same = values({ description: "same", limit_usd: 1 });
    expect(mergeFields(base, same, same)).toEqual([]);
  });
});

describe("mergedValues", () => {
  it("takes their values except for the fields chosen from yours", () => {
    const theirs = values({ description: "theirs", limit_usd: 2 });
    const yours = values({ description: "yours", limit_usd: 1, allowed_models: ["a"] });
    expect(mergedValues(theirs, yours, { description: "yours", limit_usd: "theirs", allowed_models: "yours" })).toEqual(
      values({ description: "yours", limit_usd: 2, allowed_models: ["a"] }),
    );
    expect(mergedValues(theirs, yours, {})).toEqual(theirs);
  });
});
