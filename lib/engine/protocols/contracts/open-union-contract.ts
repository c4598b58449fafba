import { z } from "zod";

/**
 * A union that grows: objects of a known kind are checked by their schema, objects of an unknown kind pass as they are
 * (docs/semantics.md#open-unions). `key` is the field that names the kind.
 */
export function openUnion<
  const Key extends string,
  const Known extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(key: Key, known: Known) {
  const names = new Set(kindsOf(key, known));
  const unknownName = z.string().refine((name) => !names.has(name), { abort: true, error: "must be a known type" });
  const unknown = z.looseObject({ [key]: unknownName } as { [name in Key]: typeof unknownName });
  return z.union([unknown, z.discriminatedUnion(key, known)]);
}

/** Returns the names of the kinds that schemas check. */
export const kindsOf = (key: string, known: readonly z.core.$ZodTypeDiscriminable[]): string[] =>
  known.flatMap((kind) => [...(kind._zod.propValues[key] ?? [])].filter((name) => typeof name === "string"));
