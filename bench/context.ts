import { NO_TRACE } from "../lib/platform/telemetry/trace-context";
import { randomBytes } from "node:crypto";
import { NO_KEY_LIMIT } from "../lib/engine/budgets/budget-rule";
import type { Context } from "../lib/platform/context";
import { parseEnv } from "../lib/platform/env";
import { newUserId, uuidv7 } from "../lib/platform/ids";
import { createSandbox } from "../lib/server/bootstrap";

/** Creates an organization with the sandbox; returns the contexts of its admin and of a key. */
export async function newContext(db: Context["db"]): Promise<{ admin: Context; key: Context }> {
  const now = new Date();
  const [organizationId, workspaceId, userId, keyId] = [uuidv7(now), uuidv7(now), newUserId(), uuidv7(now)];
  await db.organization.create({
    data: {
      id: organizationId,
      name: "Bench",
      members: { create: { id: userId, email: "bench@example.com", role: "admin" } },
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
      role: "admin",
      sessionId: keyId,
      organizationId,
      workspaceId,
      userId,
      userName: "Bench",
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
    }),
  };
}

/** The context of a caller's request. */
export function contextOf(db: Context["db"], caller: Context["caller"]): Context {
  const client = {
    httpReferer: null,
    appTitle: null,
    appCategories: null,
    userAgent: null,
    sessionId: null,
    wantsMetadata: false,
    wantsEvents: false,
    wantsYaml: false,
  };
  const settings = { ...parseEnv({ SIGNALBOX_ADMIN_PASSWORD: "correct horse" }), secretKey: Buffer.alloc(32, 7) };
  return {
    caller,
    db,
    settings,
    now: new Date(),
    arrivedAt: 0,
    trace: NO_TRACE,
    random: Math.random,
    requestId: "bench",
    origin: "http://bench.test",
    ip: null,
    sessionToken: null,
    deviceToken: null,
    client,
    ifMatch: null,
    signal: new AbortController().signal,
    headers: new Headers(),
  };
}
