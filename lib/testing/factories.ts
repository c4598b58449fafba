import { NO_KEY_LIMIT } from "../engine/budgets/budget-rule";
import type { Caller } from "../platform/context";
import { newUserId, uuidv7 } from "../platform/ids";
import { keyHash, keyLabel, newKeyText, type KeyKind } from "../platform/key-text";
import { NO_GRANTS } from "../platform/grants";
import { grantsOf, type RoleColumn } from "../records/roles/grants";
import { NOW, type World } from "./test-context";

/** Inserts a key of the world's workspace directly into the database. */
export async function createKey(
  { context, organizationId, workspaceId, adminId }: World,
  overrides: {
    kind?: KeyKind;
    role?: RoleColumn;
    workspaceId?: string;
    creatorUserId?: string;
    name?: string;
    tags?: string[];
  } = {},
): Promise<{ id: string; hash: string; text: string }> {
  const { kind = "inference", ...rest } = overrides;
  const text = newKeyText(kind);
  const hash = keyHash(text);
  const id = uuidv7(NOW);
  await context.db.key.create({
    data: {
      id,
      organizationId,
      workspaceId,
      creatorUserId: adminId,
      kind,
      hash,
      name: "Key",
      label: keyLabel(text),
      createdAt: NOW,
      secrets: { create: { hash, createdAt: NOW } },
      ...rest,
    },
  });
  return { id, hash, text };
}

/** Returns what a built-in role permits. */
export const roleGrants = (role: RoleColumn) => grantsOf([{ role, permissions: null, workspace: null }]);

/** Returns the caller of a key created by the world's admin. */
export const keyCaller = (
  { organizationId, workspaceId, adminId }: World,
  keyId: string,
  keyKind: KeyKind = "inference",
): Caller & { kind: "key" } => ({
  kind: "key",
  keyKind,
  keyId,
  keyName: "Key",
  organizationId,
  workspaceId,
  userId: adminId,
  limit: NO_KEY_LIMIT,
  grants: keyKind === "management" ? roleGrants("admin") : NO_GRANTS,
});

/** Returns the caller of a member's console session. */
export const memberCaller = (
  { organizationId, workspaceId }: World,
  userId: string,
  overrides: Partial<Caller & { kind: "session" }> = {},
): Caller & { kind: "session" } => ({
  kind: "session",
  sessionId: uuidv7(NOW),
  organizationId,
  workspaceId,
  userId,
  userName: "Member",
  grants: roleGrants("member"),
  ...overrides,
});

/** Inserts a member of the world's organization. */
export async function createMember(
  { context, organizationId }: World,
  role: RoleColumn = "member",
  tags: string[] = [],
): Promise<string> {
  const id = newUserId();
  await context.db.member.create({
    data: { id, organizationId, email: `${id}@example.com`.toLowerCase(), role, tags, createdAt: NOW },
  });
  return id;
}

/** Inserts a second workspace of the world's organization. */
export async function createWorkspace({ context, organizationId }: World): Promise<string> {
  const id = uuidv7(NOW);
  await context.db.workspace.create({
    data: { id, organizationId, name: "Other", slug: id, contentLogging: true, createdAt: NOW },
  });
  return id;
}
