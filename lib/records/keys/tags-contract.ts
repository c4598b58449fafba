import { z } from "zod";
import { operation } from "../../platform/http/operation";
import { Tags } from "../tags/contract";
import { Key } from "./contract";
import { MAX_KEYS } from "./limits-contract";

export const TagChanges = z.strictObject({ add: Tags, remove: Tags });
export type TagChanges = z.output<typeof TagChanges>;

export const BulkTagKeysBody = z
  .strictObject({
    key_hashes: z
      .array(Key.shape.hash)
      .min(1)
      .max(MAX_KEYS)
      .refine((hashes) => new Set(hashes).size === hashes.length, "must not contain duplicates"),
    add: Tags.default([]),
    remove: Tags.default([]),
  })
  .refine(({ add, remove }) => add.length + remove.length > 0, {
    path: ["add"],
    message: "must have a tag, or else remove",
  })
  .refine(({ add, remove }) => !add.some((tag) => remove.includes(tag)), {
    path: ["remove"],
    message: "must not contain a tag of add",
  });
export type BulkTagKeysBody = z.input<typeof BulkTagKeysBody>;

export const bulkTagKeys = operation({
  tag: "Keys",
  access: "management",
  id: "bulkTagKeys",
  permission: "keys:write",
  byWorkspace: true,
  recentSignIn: true,
  method: "POST",
  path: "/keys/tags",
  summary: "Add tags to many keys and remove others, all or nothing",
  body: BulkTagKeysBody,
  bodySize: "medium",
  status: 200,
  result: z.object({
    changed: z
      .array(z.object({ key_hash: z.string(), added: z.array(z.string()), removed: z.array(z.string()) }))
      .meta({ description: "What changed of each key; the others already had these tags" }),
  }),
  idempotent: true,
  example: {
    body: {
      key_hashes: ["8d969eef6ecad3c29a3a629280e686cf0c3f5d5a86aff3ca12020c923adc6c92"],
      add: ["team:search"],
      remove: ["batch"],
    },
  },
});
