import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ofPresentFields } from "./present-fields";
import { validate } from "./validate";

const shape = {
  model: z.string().optional(),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({ role: z.enum(["user", "assistant"]) })).min(1),
  user: z.string().nullish(),
  limit: z.number().int().min(0).nullable(),
  tags: z.preprocess((value) => value ?? [], z.array(z.string())),
};
const SCHEMAS = { loose: z.looseObject(shape), strict: z.strictObject(shape), plain: z.object(shape) };
const value = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, "text", 3, -1, true, [], ["a"], [{ role: "user" }], [{ role: "x" }, 1]),
  fc.jsonValue(),
);
const body = fc.dictionary(fc.constantFrom(...Object.keys(shape), "unknown", "toString", "__proto__"), value);

describe("the schema of the fields that a body has", () => {
  it.for(Object.entries(SCHEMAS))("finds the same problems and values: %s", ([, schema]) => {
    fc.assert(
      fc.property(body, (given) => {
        expect(validate(ofPresentFields(schema, given), given)).toEqual(validate(schema, given));
      }),
    );
  });

  it("is made once for a combination", () => {
    const schema = z.looseObject(shape);
    const own = ofPresentFields(schema, { model: "a", messages: [] });
    expect(own).toBe(ofPresentFields(schema, { model: "b", messages: [{}], other: 1 }));
    expect(Object.keys(own.shape)).toEqual(["model", "stream", "messages", "limit", "tags"]);
  });

  it("is the whole one for objects with rules across fields, and for other types", () => {
    const ruled = z.object(shape).refine(({ model }) => model !== "x");
    const record = z.record(z.string(), z.number());
    expect(ofPresentFields(ruled, {})).toBe(ruled);
    expect(ofPresentFields(record, {})).toBe(record);
  });

  it("is the whole one after many combinations", () => {
    const fields = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, z.string().optional()]));
    const schema = z.object(fields);
    const bodies = Array.from({ length: 300 }, (_, bits) =>
      Object.fromEntries(
        Object.keys(fields)
          .filter((_, at) => (bits >> at) & 1)
          .map((name) => [name, "x"]),
      ),
    );
    const own = bodies.map((given) => ofPresentFields(schema, given));
    expect(new Set(own).size).toBe(257);
    expect(own.at(-1)).toBe(schema);
  });
});
