import { z } from "zod";
import { PERSONAL_DATA_BUILTINS } from "../../records/guardrails/vocabulary";
import { Deleted, envelope, operation } from "../../platform/http/operation";

/** A generation's identifier is a query parameter, as in the public API. */
export const GenerationIdQuery = z.object({ id: z.string().min(1).max(100) });

/** A failed attempt before the one whose failure the caller saw. */
export const PreviousError = z.object({
  code: z.number().int(),
  message: z.string(),
  provider_name: z.string().nullable(),
  raw: z.string().nullable().meta({ description: "The upstream's own words" }),
});

/** The failure that a caller received, with the upstream's own text: docs/semantics.md#stored-error. */
export const StoredError = z.object({
  message: z.string().nullable(),
  status: z.number().int().nullable(),
  provider_name: z.string().nullable(),
  raw: z.string().nullable(),
  previous_errors: z.array(PreviousError),
});
export type StoredError = z.output<typeof StoredError>;

/** What a personal-data filter finds in a stored text, hidden unless one reveals it. */
const Masked = z.object({
  rule: z.enum(PERSONAL_DATA_BUILTINS),
  count: z.number().int().min(1).meta({ description: "Places; 100 stands for a hundred or more" }),
});
export type Masked = z.output<typeof Masked>;

export const GenerationContent = z
  .object({
    error: StoredError.nullable(),
    input: z.object({ messages: z.array(z.looseObject({ role: z.string(), content: z.string() })) }),
    output: z.object({
      completion: z.string(),
      reasoning: z.string().nullable(),
      tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
    }),
    masked: z.array(Masked).optional().meta({ description: "What is hidden; absent when nothing is" }),
  })
  .meta({ id: "GenerationContent" });
export type GenerationContent = z.output<typeof GenerationContent>;

/** Characters of a reason for revealing. */
const MAX_REASON = 500;

const RevealQuery = GenerationIdQuery.extend({
  reveal: z
    .enum(["true", "false"])
    .default("false")
    .meta({ description: "true: nothing is masked, and the audit log says who asked for it and why" }),
  reason: z.string().trim().min(1).max(MAX_REASON).optional().meta({ description: "Required with reveal" }),
}).refine(({ reveal, reason }) => reveal === "false" || reason !== undefined, {
  path: ["reason"],
  message: "is required to reveal what is masked",
});

const content = {
  tag: "Generations",
  access: "management",
  path: "/generation/content",
  query: GenerationIdQuery,
  status: 200,
} as const;

export const getGenerationContent = operation({
  ...content,
  id: "listGenerationContent",
  method: "GET",
  summary:
    "Get the stored prompt, completion and failure of a generation; personal data is masked where a filter speaks of it",
  query: RevealQuery,
  result: envelope(GenerationContent),
  errors: [404, 502, 503, 524, 529],
  rateLimit: "content",
});

export const deleteGenerationContent = operation({
  ...content,
  id: "deleteGenerationContent",
  method: "DELETE",
  summary: "Delete the stored prompt and completion of a generation; its record stays",
  result: Deleted,
  errors: [404],
});
