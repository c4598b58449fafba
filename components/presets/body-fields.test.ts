import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PresetConfig } from "@/lib/records/presets/contract";
import {
  BODY_FIELDS,
  canShow,
  fieldsSummary,
  otherFields,
  valueAt,
  withOtherFields,
  withValue,
  type BodyField,
} from "./body-fields";

const FIELDS: readonly BodyField[] = Object.values(BODY_FIELDS).flat();

const bodies = fc.dictionary(
  fc.constantFrom("model", "models", "temperature", "provider", "text", "tools", "plugins", "colour"),
  fc.oneof(
    fc.constantFrom<unknown>("sandbox/echo", 0.5, null, true, ["a"], [1]),
    fc.dictionary(
      fc.constantFrom("only", "sort", "zdr", "format", "max_price"),
      fc.constantFrom<unknown>("price", { by: "price" }, ["a"], null, true),
      { minKeys: 1 },
    ),
  ),
);

describe("the fields of the form", () => {
  it("are accepted by the contract with each of their options", () => {
    for (const field of FIELDS) {
      if (field.kind !== "choice") continue;
      for (const option of field.options) {
        const body = withValue({}, field.path, option);
        expect(PresetConfig.safeParse(body).success, `${field.path.join(".")}: ${option}`).toBe(true);
      }
    }
  });

  it("are fields that a preset stores", () => {
    const stored = new Set([...Object.keys(PresetConfig.shape), "instructions"]);
    expect(FIELDS.map(({ path }) => path[0]).filter((name) => !stored.has(name))).toEqual([]);
  });
});

describe("the summary of closed fields", () => {
  it.each([
    [{}, "Service tier, Truncation, Top log probabilities: default"],
    [{ service_tier: "flex", temperature: 1 }, "Service tier: flex"],
    [{ truncation: "auto", top_logprobs: 0 }, "Truncation: auto · Top log probabilities: 0"],
    [{ service_tier: { a: 1 } }, "Service tier: custom value"],
  ])("of %j is %s", (body, summary) => {
    expect(fieldsSummary(BODY_FIELDS.rareParameters, body)).toBe(summary);
  });
});

describe("a value", () => {
  it.each([
    [{}, ["temperature"], 1, { temperature: 1 }],
    [{ model: "a" }, ["model"], undefined, {}],
    [{ provider: { max_price: {} } }, ["provider", "zdr"], true, { provider: { max_price: {}, zdr: true } }],
    [{ provider: { zdr: true } }, ["provider", "zdr"], undefined, {}],
    [{ provider: { zdr: true, x: 1 } }, ["provider", "zdr"], undefined, { provider: { x: 1 } }],
    [{ provider: null }, ["provider", "only"], ["a"], { provider: { only: ["a"] } }],
  ] as const)("%j with %j = %j is %j", (body, path, value, expected) => {
    expect(withValue(body, path as BodyField["path"], value)).toEqual(expected);
  });
});

describe("other fields", () => {
  it("are those that no control can show", () => {
    const body = {
      model: "a/b",
      temperature: null,
      provider: { only: ["a"], sort: { by: "price" }, max_price: { prompt: "1" } },
      plugins: [{ id: "web" }],
    };
    expect(otherFields(body)).toEqual({
      temperature: null,
      provider: { sort: { by: "price" }, max_price: { prompt: "1" } },
      plugins: [{ id: "web" }],
    });
  });

  it("and shown fields make up the whole body", () => {
    fc.assert(
      fc.property(bodies, (body) => {
        expect(withOtherFields(body, otherFields(body))).toEqual(body);
      }),
    );
  });

  it("survive a change of any shown field", () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom(...FIELDS), (body, field) => {
        fc.pre(canShow(field, body) && body[field.path[0]] !== null);
        const value = field.kind === "choice" ? field.options[0] : field.kind === "list" ? ["x"] : "x";
        const changed = withValue(body, field.path, value);
        expect(valueAt(changed, field.path)).toEqual(value);
        expect(otherFields(changed)).toEqual(otherFields(body));
      }),
    );
  });
});
