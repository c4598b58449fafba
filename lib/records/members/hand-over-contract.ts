import { z } from "zod";
import { envelope, operation } from "../../platform/http/operation";
import { KeyHash } from "../keys/contract";
import { UserParams } from "./contract";

const MOST_KEYS = 100;

export const HandOverBody = z.strictObject({
  to_user_id: UserParams.shape.user_id.meta({ description: "An active member, who becomes the owner" }),
  key_hashes: z
    .array(KeyHash)
    .min(1)
    .max(MOST_KEYS)
    .optional()
    .meta({ description: "Only these keys. Without it: every key and saved view" }),
});
export type HandOverBody = z.output<typeof HandOverBody>;

export const handOverMember = operation({
  tag: "Members",
  access: "management",
  permission: "members:write",
  id: "handOverOrganizationMember",
  recentSignIn: true,
  method: "POST",
  path: "/organization/members/{user_id}/hand-over",
  summary: "Hand over what a member owns, keys and saved views, to another member",
  note: "Also after the member was removed. Handing over keys requires `keys:write`, too. Keys stay valid, or disabled; from now on, the new owner's guardrails and budgets apply to them.",
  params: UserParams,
  body: HandOverBody,
  status: 200,
  result: envelope(z.object({ keys: z.number().int().min(0), saved_views: z.number().int().min(0) })),
  errors: [409],
  example: { body: { to_user_id: "user_2hB9dKq4VxT7nLmZ0wRfYcUe" } },
});
