import type { z } from "zod";
import { toJSONSchema } from "zod";

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** A value with a marker in one string or property name. */
export interface Sample {
  value: Node;
  path: (string | number)[];
  isName: boolean;
}

interface Part extends Omit<Sample, "value"> {
  value: unknown;
}

/**
 * Returns a value for each string and property name of a contract, in every variant of every union, with the marker
 * there. Open objects also get the marker in an unknown field and in an unknown name.
 */
export function samplesOf(contract: z.ZodType, marker: string): Sample[] {
  const root = toJSONSchema(contract, { io: "input", unrepresentable: "any" }) as Node;
  return partsOf(root, root, marker, 0) as Sample[];
}

function partsOf(schema: unknown, root: Node, marker: string, depth: number): Part[] {
  if (!isNode(schema) || depth > 16) return [];
  const below = (inner: unknown) => partsOf(inner, root, marker, depth + 1);
  const { $ref, anyOf, oneOf, allOf, items } = schema;
  const types = Array.isArray(schema["type"]) ? (schema["type"] as string[]) : [schema["type"]];
  const type = types.find((one) => one !== "null");
  if (typeof $ref === "string")
    return below(
      $ref
        .split("/")
        .slice(1)
        .reduce((node: unknown, key) => (node as Node)[key], root),
    );
  const variants = [anyOf, oneOf, allOf].find(Array.isArray) as unknown[] | undefined;
  if (variants) return variants.flatMap(below);
  if (type === "array")
    return below(items).map(({ value, path, isName }) => ({ value: [value], path: [0, ...path], isName }));
  if (type === "object" || isNode(schema["properties"])) return fieldsOf(schema, marker, below, depth);
  if (schema["const"] !== undefined || schema["enum"] !== undefined) return [];
  return type === "string" || type === undefined ? [{ value: `a ${marker} b`, path: [], isName: false }] : [];
}

/** Returns the simplest value that a schema accepts. Supports the keywords that the contracts use. */
function simplest(schema: unknown): unknown {
  if (!isNode(schema)) return null;
  const { const: constant, enum: values, anyOf, oneOf, type } = schema;
  if (constant !== undefined) return constant;
  if (Array.isArray(values)) return values[0];
  const variants = (anyOf ?? oneOf) as unknown[] | undefined;
  if (variants)
    return simplest(variants.find((variant) => isNode(variant) && variant["type"] === "string") ?? variants[0]);
  const samples: Node = { string: "s", array: [], object: {}, integer: 1, number: 1, boolean: true };
  return samples[String(Array.isArray(type) ? type[0] : type)] ?? null;
}

function fieldsOf(
  { properties, additionalProperties, required }: Node,
  marker: string,
  below: (inner: unknown) => Part[],
  depth: number,
): Part[] {
  const fields = Object.entries(isNode(properties) ? properties : {});
  const isGiven = (name: string, field: unknown) =>
    (Array.isArray(required) && required.includes(name)) || (isNode(field) && field["const"] !== undefined);
  const kind = Object.fromEntries(
    fields.flatMap(([name, field]) => (isGiven(name, field) && depth > 0 ? [[name, simplest(field)]] : [])),
  );
  const known = fields.flatMap(([name, field]) =>
    below(field).map(({ value, path, isName }) => ({
      value: { ...kind, [name]: value },
      path: [name, ...path],
      isName,
    })),
  );
  if (additionalProperties === false) return known;
  return [
    ...known,
    { value: { ...kind, [`x${marker}`]: 1 }, path: [`x${marker}`], isName: true },
    { value: { ...kind, x: [{ y: `a ${marker}` }] }, path: ["x", 0, "y"], isName: false },
  ];
}
