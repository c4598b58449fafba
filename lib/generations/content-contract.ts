import { z } from "zod";
import { Deleted, envelope, operation } from "../http/operation";

/** A generation's identifier is a query parameter, as in the public API. */
export const GenerationIdQuery = z.object({ id: z.string().min(1).max(100) });

/** A failed attempt before the one whose failure the caller saw. */
export const PreviousError = z.object({
  code: z.number().int(),
  message: z.string(),
  provider_name: z.string().nullable(),
  raw: z.string().nullable().meta({ description: "The upstream's own words" }),
});

/** The failure that a caller saw, with what the upstream said: contract.md section 4, "Generation content". */
export const StoredError = z.object({
  message: z.string().nullable(),
  status: z.number().int().nullable(),
  provider_name: z.string().nullable(),
  raw: z.string().nullable(),
  previous_errors: z.array(PreviousError),
});
export type StoredError = z.output<typeof StoredError>;

export const GenerationContent = z
  .object({
    error: StoredError.nullable(),
    input: z.object({ messages: z.array(z.looseObject({ role: z.string(), content: z.string() })) }),
    output: z.object({
      completion: z.string(),
      reasoning: z.string().nullable(),
      tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
    }),
  })
  .meta({ id: "GenerationContent" });
export type GenerationContent = z.output<typeof GenerationContent>;

const content = { tag: "Generations", access: "management", path: "/generation/content", query: GenerationIdQuery, status: 200 } as const;

export const getGenerationContent = operation({
  ...content,
  id: "listGenerationContent",
  method: "GET",
  summary: "Get the stored prompt, completion and failure of a generation",
  result: envelope(GenerationContent),
  errors: [400, 401, 403, 404, 429, 500, 502, 524, 529],
  rateLimit: "content",
});

export const deleteGenerationContent = operation({
  ...content,
  id: "deleteGenerationContent",
  method: "DELETE",
  summary: "Delete the stored prompt and completion of a generation; its record stays",
  result: Deleted,
  errors: [400, 401, 403, 404, 429, 500],
});
