import { z } from "zod";
import { operation } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import { MAX_TAGS, TAG } from "./vocabulary";

/** Tags of a key or member: docs/semantics.md#tags. */
export const Tags = z
  .array(z.string().regex(TAG, "must be a name or name:value of letters, digits, and _ - . /"))
  .max(MAX_TAGS)
  .refine((tags) => new Set(tags).size === tags.length, "must be unique")
  .meta({ description: "Names or `name:value` pairs by which usage is grouped, such as `team:search`" });

/** Filter of a list by tag. */
export const TagFilter = z.string().min(1).max(101).optional();

const count = z.number().int().min(0);

const Tag = z
  .object({
    tag: z.string(),
    keys: count.meta({ description: "Number of keys with this tag" }),
    members: count.meta({ description: "Number of members with this tag" }),
  })
  .meta({ id: "Tag" });

export const listTags = operation({
  tag: "Keys",
  access: "member",
  id: "listTags",
  permission: "keys:read",
  method: "GET",
  path: "/tags",
  summary: "List the tags in use by name; members see their own, and those of the keys they created",
  query: PageQuery.extend({
    q: z.string().trim().min(1).max(200).optional().meta({ description: "Search text in the tag" }),
  }),
  status: 200,
  result: page(Tag),
});
