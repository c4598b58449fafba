import { z } from "zod";
import { operation } from "../../platform/http/operation";
import { integerParam } from "../../platform/http/pagination";
import { GenerationFilters } from "../../records/generations/contract";

const count = z.number().int().min(0);

/** Maximum number of contents deleted per request. */
const MAX_REMOVED = 1000;
/** Maximum number of contents counted by a dry run. */
export const MAX_COUNTED = 100_000;

const RemovalQuery = z
  .strictObject({
    ...GenerationFilters.shape,
    limit: integerParam(1, MAX_REMOVED)
      .default(MAX_REMOVED)
      .meta({ description: "Maximum number of contents to delete, newest first" }),
    cursor: z.string().max(500).optional().meta({ description: "`next_cursor` of the previous response" }),
    dry_run: z
      .enum(["true", "false"])
      .default("false")
      .meta({ description: "Set to true to count matching contents without deleting them" }),
  })
  .refine(({ limit: _, cursor: __, dry_run: ___, ...filters }) => Object.keys(filters).length > 0, {
    message: "at least one filter is required; to match everything, use `to` with the current time",
  });

export const deleteGenerationContents = operation({
  tag: "Generations",
  access: "management",
  id: "deleteGenerationContents",
  permission: "contents:delete",
  byWorkspace: true,
  method: "DELETE",
  path: "/generations/content",
  summary: "Delete the stored content of matching generations in batches; their records are kept",
  query: RemovalQuery,
  status: 200,
  result: z.object({
    deleted_count: count,
    next_cursor: z.string().nullable().meta({ description: "null at the end" }),
    preview: z
      .object({
        count,
        is_more: z.boolean().meta({ description: `Whether there are more than ${MAX_COUNTED}, the maximum counted` }),
      })
      .optional()
      .meta({ description: "Included with dry_run" }),
  }),
});
