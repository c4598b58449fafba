import { z } from "zod";

/** A failed attempt before the last one. */
export const PreviousError = z.object({
  code: z.number().int(),
  message: z.string(),
  provider_name: z.string().nullable(),
  raw: z.string().nullable().meta({ description: "The upstream's own message" }),
});

/** The failure returned to the caller, with the upstream's message: docs/semantics.md#stored-error. */
export const StoredError = z.object({
  message: z.string().nullable(),
  status: z.number().int().nullable(),
  provider_name: z.string().nullable(),
  raw: z.string().nullable(),
  previous_errors: z.array(PreviousError),
});
export type StoredError = z.output<typeof StoredError>;
