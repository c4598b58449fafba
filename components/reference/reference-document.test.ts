import { expect, it } from "vitest";
import { limitsOf, type Schema } from "./reference-document";

it.each<[Schema, string[]]>([
  [{ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, []],
  [{ minimum: Number.MIN_SAFE_INTEGER, maximum: 5 }, ["at most 5"]],
  [{ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, ["at least 1"]],
  [{ minimum: 1, maximum: 5 }, ["1 to 5"]],
])("the limits of %j are %j", (schema, limits) => expect(limitsOf(schema)).toEqual(limits));
