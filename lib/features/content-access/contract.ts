import { z } from "zod";
import { StoredError } from "../../engine/protocols/contracts/stored-error-contract";
import { Deleted, envelope, operation } from "../../platform/http/operation";
import { GenerationIdQuery } from "../../records/generations/contract";

/** Matches in stored content that are masked unless revealed: of a personal-data filter, or what blocked the request. */
const Masked = z.object({
  rule: z.string().meta({ description: "Slug of a built-in filter, label of a custom one, or name of a check" }),
  count: z.number().int().min(1).meta({ description: "Number of matches; 100 means a hundred or more" }),
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
      choices: z
        .array(z.looseObject({ index: z.number().int(), message: z.looseObject({}) }))
        .optional()
        .meta({ description: "Further choices, and further fields of the first one's message" }),
    }),
    masked: z.array(Masked).optional().meta({ description: "Masked data; omitted when nothing is masked" }),
  })
  .meta({ id: "GenerationContent" });
export type GenerationContent = z.output<typeof GenerationContent>;

/** Maximum length of a reason. */
const MAX_REASON = 500;

const RevealQuery = GenerationIdQuery.extend({
  reveal: z
    .enum(["true", "false"])
    .default("false")
    .meta({ description: "Set to true to reveal masked data; the audit log records the caller and the reason" }),
  reason: z.string().trim().min(1).max(MAX_REASON).optional().meta({ description: "Required with reveal" }),
}).refine(({ reveal, reason }) => reveal === "false" || reason !== undefined, {
  path: ["reason"],
  message: "is required to reveal masked data",
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
  permission: "contents:read",
  byWorkspace: true,
  method: "GET",
  summary: "Get the stored prompt, completion and error of a generation; personal data covered by a filter is masked",
  query: RevealQuery,
  result: envelope(GenerationContent),
  errors: [404, 503],
  rateLimit: "content",
});

export const deleteGenerationContent = operation({
  ...content,
  id: "deleteGenerationContent",
  permission: "contents:delete",
  byWorkspace: true,
  method: "DELETE",
  summary: "Delete the stored prompt and completion of a generation; its record is kept",
  result: Deleted,
  errors: [404],
});

/** Maximum number of characters of a preview. */
export const PREVIEW_CHARACTERS = 200;

const excerpt = z
  .string()
  .max(PREVIEW_CHARACTERS + 2)
  .nullable();

const GenerationPreview = z
  .object({
    id: z.string(),
    prompt: excerpt.meta({ description: "Of the first user message; null without content" }),
    completion: excerpt.meta({ description: "Of the first choice; null without content" }),
  })
  .meta({ id: "GenerationPreview" });
export type GenerationPreview = z.output<typeof GenerationPreview>;

const GenerationId = z.string().min(1).max(100);

export const listGenerationPreviews = operation({
  tag: "Generations",
  access: "management",
  id: "listGenerationPreviews",
  permission: "contents:read",
  byWorkspace: true,
  method: "GET",
  path: "/generations/previews",
  summary:
    "Get excerpts of prompt and completion of up to 100 generations; personal data covered by a filter is masked",
  query: z.object({
    id: z.union([GenerationId, z.array(GenerationId).min(1).max(100)]),
    q: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .meta({ description: "Excerpts begin near the first of these words" }),
  }),
  status: 200,
  result: z.object({ data: z.array(GenerationPreview) }),
});
