import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openPostgres, type OpenDatabase } from "../platform/database/open";
import type { Caller, Context } from "../platform/context";
import { newUserId, uuidv7 } from "../platform/ids";
import { contextOf, OWNER_GRANTS } from "./context";
import { TEMPLATE } from "./postgres.setup";

let opened: Promise<OpenDatabase> | undefined;

/** The database of this test file, migrated and empty. */
export function testDatabase(): Promise<OpenDatabase> {
  return (opened ??= createDatabase(inject("postgresUrl"), TEMPLATE).then((url) => openPostgres(url)));
}

/** Creates a database on the test server and returns its connection string. */
export async function createDatabase(server: string, template = "template1"): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  await admin.end();
  return Object.assign(new URL(server), { pathname: name }).href;
}

export const NOW = new Date("2026-11-20T10:00:00.000Z");

export interface World {
  context: Context;
  organizationId: string;
  workspaceId: string;
  adminId: string;
}

/** Creates an organization with its default workspace and an owner; tests share nothing. */
export async function testWorld(overrides: Partial<Context> = {}): Promise<World> {
  const db = overrides.db ?? (await testDatabase()).client;
  const organizationId = uuidv7(NOW);
  const workspaceId = uuidv7(NOW);
  const adminId = newUserId();
  await db.organization.create({
    data: {
      id: organizationId,
      name: "Test",
      members: {
        create: { id: adminId, email: `${adminId}@example.com`.toLowerCase(), role: "owner", providerSignInAt: NOW },
      },
      workspaces: {
        create: { id: workspaceId, name: "Default", slug: "default", isDefault: true, contentLogging: true },
      },
    },
  });
  const caller: Caller = {
    kind: "session",
    sessionId: uuidv7(NOW),
    organizationId,
    workspaceId,
    userId: adminId,
    userName: "Admin",
    grants: OWNER_GRANTS,
  };
  const context = contextOf(db, caller, { now: NOW, random: () => 0, ...overrides });
  return { context, organizationId, workspaceId, adminId };
}
