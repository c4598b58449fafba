import { checkTable } from "../../testing/contract-table";
import { CreateKeyBody, rotateKey, UpdateKeyBody } from "./contract";

const WORKSPACE = "0df9e665-d932-4740-b2c7-b52af166bc11";
const named = (fields: unknown) => ({ name: "Key", ...(fields as object) });

checkTable(
  "POST /keys",
  CreateKeyBody,
  [
    [
      "name has 1 to 200 characters",
      [{ name: "a" }, { name: "a".repeat(200) }],
      [
        [{ name: " " }, "name"],
        [{ name: "a".repeat(201) }, "name"],
        [{ name: null }, "name"],
      ],
    ],
    ["kind is inference or management", [{ kind: "inference" }, { kind: "management" }], [[{ kind: "admin" }, "kind"]]],
    [
      "a management key has no workspace",
      [{ workspace_id: WORKSPACE }],
      [
        [{ workspace_id: WORKSPACE, kind: "management" }, "workspace_id"],
        [{ workspace_id: "x" }, "workspace_id"],
      ],
    ],
    [
      "a management key can't have a guardrail",
      [{ guardrail_id: WORKSPACE }, { guardrail_id: null, kind: "management" }],
      [
        [{ guardrail_id: WORKSPACE, kind: "management" }, "guardrail_id"],
        [{ guardrail_id: "x" }, "guardrail_id"],
      ],
    ],
    [
      "expires_at is an instant with seconds",
      [{ expires_at: "2030-01-01T00:00:00Z" }, { expires_at: "2030-01-01T00:00:00.5+02:00" }, { expires_at: null }],
      [
        [{ expires_at: "2030-01-01T00:00Z" }, "expires_at"],
        [{ expires_at: "2030-01-01" }, "expires_at"],
        [{ expires_at: "2030-02-30T00:00:00Z" }, "expires_at"],
        [{ expires_at: "9999-12-31T23:59:59-01:00" }, "expires_at"],
      ],
    ],
    [
      "limit is null or 0 to a billion USD, 6 decimals",
      [{ limit: 0 }, { limit: 0.000001 }, { limit: 1_000_000_000 }, { limit: null }],
      [
        [{ limit: -1 }, "limit"],
        [{ limit: 1_000_000_001 }, "limit"],
        [{ limit: 0.0000001 }, "limit"],
        [{ limit: "5" }, "limit"],
      ],
    ],
    [
      "tags are at most ten different names, or names with a value",
      [{ tags: [] }, { tags: ["prod", "team:search", "cost-center:4711/a", "équipe:été"] }],
      [
        [{ tags: ["a", "a"] }, "tags"],
        [{ tags: Array.from({ length: 11 }, (_, index) => `t${index}`) }, "tags"],
        [{ tags: ["two words"] }, "tags.0"],
        [{ tags: ["team:"] }, "tags.0"],
        [{ tags: ["a:b:c"] }, "tags.0"],
        [{ tags: ["a".repeat(41)] }, "tags.0"],
        [{ tags: null }, "tags"],
      ],
    ],
    [
      "limit_reset is an interval or null",
      [{ limit_reset: "daily" }, { limit_reset: "weekly" }, { limit_reset: "monthly" }, { limit_reset: null }],
      [[{ limit_reset: "yearly" }, "limit_reset"]],
    ],
    [
      "unknown fields are rejected",
      [{ include_byok_in_limit: true }],
      [
        [{ disabled: true }, "disabled"],
        [{ usage: 0 }, "usage"],
      ],
    ],
  ],
  named,
);

checkTable("PATCH /keys/{hash}", UpdateKeyBody, [
  [
    "every field is optional",
    [{}, { disabled: true }, { name: "a", limit: null, limit_reset: null, expires_at: null }],
    [],
  ],
  [
    "kind, workspace and creator can't change",
    [],
    [
      [{ kind: "management" }, "kind"],
      [{ workspace_id: WORKSPACE }, "workspace_id"],
      [{ creator_user_id: "user_x" }, "creator_user_id"],
    ],
  ],
]);

checkTable("POST /keys/{hash}/rotate", rotateKey.body as NonNullable<typeof rotateKey.body>, [
  [
    "grace_seconds is 0 to 30 days",
    [{}, { grace_seconds: 0 }, { grace_seconds: 2_592_000 }],
    [
      [{ grace_seconds: -1 }, "grace_seconds"],
      [{ grace_seconds: 2_592_001 }, "grace_seconds"],
      [{ grace_seconds: 0.5 }, "grace_seconds"],
    ],
  ],
]);
