import { z } from "zod";

/** Maximum number of combinations of fields with a separate schema. Other bodies are validated by the complete schema. */
const MOST_COMBINATIONS = 256;

interface Derived {
  /** Fields that are validated even if absent: required fields, and fields with a default. */
  always: ReadonlySet<string>;
  /** Schemas by the fields of earlier bodies, in their order. */
  schemas: Map<string, z.ZodObject>;
}

const derived = new WeakMap<z.ZodObject, Derived>();

const isOptional = (field: z.core.$ZodType): boolean => {
  const { success, data } = z.safeParse(field, undefined);
  return success && data === undefined;
};

function derivedFrom(schema: z.ZodObject): Derived {
  const known = derived.get(schema);
  if (known) return known;
  const { shape }: { shape: z.core.$ZodShape } = schema;
  const needed = Object.entries(shape).filter(([, field]) => !isOptional(field));
  const found: Derived = { always: new Set(needed.map(([name]) => name)), schemas: new Map() };
  derived.set(schema, found);
  return found;
}

/**
 * Returns an object's schema without the optional fields that a body lacks, which gives the same result. zod visits each field of a
 * schema, and a body has few of them. Other schemas, and objects with rules across fields, are returned unchanged.
 */
export function ofPresentFields<Schema extends z.ZodType>(
  schema: Schema,
  body: Readonly<Record<string, unknown>>,
): Schema {
  if (!(schema instanceof z.ZodObject) || schema.def.checks?.length) return schema;
  const { shape } = schema;
  const { always, schemas } = derivedFrom(schema);
  const fields = Object.keys(body).filter((name) => Object.hasOwn(shape, name));
  const combination = fields.join();
  let own = schemas.get(combination);
  if (!own) {
    if (schemas.size >= MOST_COMBINATIONS) return schema;
    const names = Object.keys(shape).filter((name) => always.has(name) || Object.hasOwn(body, name));
    own = schema.clone({ ...schema.def, shape: Object.fromEntries(names.map((name) => [name, shape[name]])) });
    schemas.set(combination, own);
  }
  return own as z.ZodType as Schema;
}
