import type { FieldValues, Resolver } from "react-hook-form";
import type { z } from "zod";
import { whenIdle } from "@/components/ui/deferred";

/**
 * Checks a form by the schema that the server checks by. The schema and its library are fetched when the page has come to rest;
 * where they can't be had, what is sent is checked by the server alone.
 */
export function formResolver<Input extends FieldValues, Output>(
  load: () => Promise<z.ZodType<Output, Input>>,
): Resolver<Input, unknown, Output> {
  const fetch = () =>
    Promise.all([import("./schema-resolver"), load()]).then(
      ([{ schemaResolver }, schema]) => schemaResolver(schema),
      () => null,
    );
  if (typeof window !== "undefined") whenIdle(() => void fetch());
  return async (values, context, options) => {
    const check = await fetch();
    return check ? check(values, context, options) : { values: values as unknown as Output, errors: {} };
  };
}
