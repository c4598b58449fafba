import { z } from "zod";
import { operation } from "../../platform/http/operation";
import { integerParam } from "../../platform/http/pagination";
import { GenerationFilters } from "../../records/generations/contract";

const count = z.number().int().min(0);

/** Contents that one request deletes at most. */
const MAX_REMOVED = 1000;
/** Contents that a dry run counts at most. */
export const MAX_COUNTED = 100_000;

const RemovalQuery = z
  .strictObject({
    ...GenerationFilters.shape,
    limit: integerParam(1, MAX_REMOVED)
      .default(MAX_REMOVED)
      .meta({ description: "Contents to delete at most, newest first" }),
    cursor: z
      .string()
      .max(500)
      .optional()
      .meta({ description: "`next_cursor` of the previous response: goes on where it ended" }),
    dry_run: z
      .enum(["true", "false"])
      .default("false")
      .meta({ description: "true: nothing is deleted, the answer says how many would be" }),
  })
  .refine(({ limit: _, cursor: __, dry_run: ___, ...filters }) => Object.keys(filters).length > 0, {
    message: "at least one filter is required; `to` with the present time names everything",
  });

export const deleteGenerationContents = operation({
  tag: "Generations",
  access: "management",
  id: "deleteGenerationContents",
  method: "DELETE",
  path: "/generations/content",
  summary: "Delete what is stored of the generations that the filters leave, a batch at a time; their records stay",
  query: RemovalQuery,
  status: 200,
  result: z.object({
    deleted_count: count,
    next_cursor: z.string().nullable().meta({ description: "null when nothing is left" }),
    preview: z
      .object({
        count,
        is_more: z.boolean().meta({ description: `There are more than the ${MAX_COUNTED} that are counted` }),
      })
      .optional()
      .meta({ description: "With dry_run" }),
  }),
});
