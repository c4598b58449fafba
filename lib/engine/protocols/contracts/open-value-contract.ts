import { z } from "zod";

/** A value of a list that grows: others pass to upstreams of the same protocol, and a warning names their field. */
export const openValue = (known: readonly string[]) =>
  z
    .string()
    .min(1)
    .max(100)
    .meta({ examples: [...known] });
