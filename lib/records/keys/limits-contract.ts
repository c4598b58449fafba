import { z } from "zod";
import { operation } from "../../platform/http/operation";
import { Key } from "./contract";

export const MAX_KEYS = 1000;

const Limit = Key.pick({ limit: true, limit_reset: true });
const KeyLimit = Limit.extend({ key_hash: Key.shape.hash });

/** A key whose limit differs from what an undo expects, in metadata.conflicts of the 409. */
export const LimitConflict = KeyLimit.extend({ name: z.string() });
export type LimitConflict = z.output<typeof LimitConflict>;

const BulkSetKeyLimitsBody = z
  .strictObject({
    keys: z.array(KeyLimit.strict()).min(1).max(MAX_KEYS),
    expected: Limit.strict().optional().meta({
      description:
        "Expected current limits: on a mismatch, returns 409 and changes nothing. To undo, send `previous` with the limit that was set",
    }),
  })
  .refine(({ keys }) => new Set(keys.map(({ key_hash }) => key_hash)).size === keys.length, {
    path: ["keys"],
    message: "must not contain duplicates",
  });
export type BulkSetKeyLimitsBody = z.output<typeof BulkSetKeyLimitsBody>;

export const bulkSetKeyLimits = operation({
  tag: "Keys",
  access: "management",
  id: "bulkSetKeyLimits",
  permission: "keys:write",
  byWorkspace: true,
  recentSignIn: true,
  method: "POST",
  path: "/keys/limits",
  summary: "Set the limits of many keys, all or nothing",
  query: z.object({
    dry_run: z
      .enum(["true", "false"])
      .default("false")
      .meta({ description: "Set to true to preview the result without changing anything" }),
  }),
  body: BulkSetKeyLimitsBody,
  bodySize: "medium",
  status: 200,
  result: z.object({
    changed_count: z.number().int().min(0),
    previous: z
      .array(KeyLimit)
      .meta({ description: "Previous limits of changed keys; the others already had the requested limit" }),
  }),
  idempotent: true,
  example: {
    body: {
      keys: [
        {
          key_hash: "8d969eef6ecad3c29a3a629280e686cf0c3f5d5a86aff3ca12020c923adc6c92",
          limit: 50,
          limit_reset: "monthly",
        },
      ],
    },
  },
});
