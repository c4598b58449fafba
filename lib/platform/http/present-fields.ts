import { z } from "zod";

/** Combinations of fields with a schema of their own; bodies with others are validated by the whole schema. */
const MOST_COMBINATIONS = 256;

interface Parts {
  /** Fields that are validated when absent: those with a default, and those that a body needs. */
  always: ReadonlySet<string>;
  schemas: Map<string, z.ZodObject>;
}

const partsOf = new WeakMap<z.ZodObject, Parts>();

const isOptional = (field: z.core.$ZodType): boolean => {
  const { success, data } = z.safeParse(field, undefined);
  return success && data === undefined;
};

function parts(schema: z.ZodObject): Parts {
  const known = partsOf.get(schema);
  if (known) return known;
  const always = Object.keys(schema.shape).filter((name) => !isOptional(schema.shape[name] as z.core.$ZodType));
  const made: Parts = { always: new Set(always), schemas: new Map() };
  partsOf.set(schema, made);
  return made;
}

/**
 * Returns an object's schema without the optional fields that a body lacks, which validates it alike. zod visits each field of a
 * schema, and a body has few of them. Other schemas, and objects with rules across fields, are returned as they are.
 */
export function ofPresentFields<Schema extends z.ZodType>(
  schema: Schema,
  body: Readonly<Record<string, unknown>>,
): Schema {
  if (!(schema instanceof z.ZodObject) || schema.def.checks?.length) return schema;
  const { shape } = schema;
  const { always, schemas } = parts(schema);
  const present = Object.keys(body).filter((name) => Object.hasOwn(shape, name));
  const combination = present.join();
  let own = schemas.get(combination);
  if (!own) {
    if (schemas.size >= MOST_COMBINATIONS) return schema;
    const names = Object.keys(shape).filter((name) => always.has(name) || Object.hasOwn(body, name));
    own = schema.clone({ ...schema.def, shape: Object.fromEntries(names.map((name) => [name, shape[name]])) });
    schemas.set(combination, own);
  }
  return own as z.ZodType as Schema;
}
