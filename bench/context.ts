import { randomBytes } from "node:crypto";
import { NO_KEY_LIMIT } from "../lib/engine/budgets/budget-rule";
import type { Context } from "../lib/platform/context";
import { newUserId, uuidv7 } from "../lib/platform/ids";
import { createSandbox } from "../lib/server/bootstrap";
import { NO_GRANTS } from "../lib/platform/grants";
import { contextOf, OWNER_GRANTS } from "../lib/testing/context";

/** Creates an organization with the sandbox; returns the contexts of its admin and of a key. */
export async function newContext(db: Context["db"]): Promise<{ admin: Context; key: Context }> {
  const now = new Date();
  const [organizationId, workspaceId, userId, keyId] = [uuidv7(now), uuidv7(now), newUserId(), uuidv7(now)];
  await db.organization.create({
    data: {
      id: organizationId,
      name: "Bench",
      members: { create: { id: userId, email: "bench@example.com", role: "owner" } },
      workspaces: {
        create: { id: workspaceId, name: "Default", slug: "default", isDefault: true, contentLogging: true },
      },
      keys: {
        create: {
          id: keyId,
          workspaceId,
          kind: "inference",
          hash: randomBytes(32).toString("hex"),
          name: "Key",
          label: "key",
        },
      },
    },
  });
  await createSandbox(db, organizationId, now);
  const limit = NO_KEY_LIMIT;
  return {
    admin: contextOf(db, {
      kind: "session",
      sessionId: keyId,
      organizationId,
      workspaceId,
      userId,
      userName: "Bench",
      grants: OWNER_GRANTS,
    }),
    key: contextOf(db, {
      kind: "key",
      keyKind: "inference",
      keyId,
      keyName: "Key",
      organizationId,
      workspaceId,
      userId,
      limit,
      grants: NO_GRANTS,
    }),
  };
}
