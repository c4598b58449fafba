import { describe, expect, it } from "vitest";
import type { ApiError } from "../platform/api-error";
import type { Caller } from "../platform/context";
import type { Grants } from "../platform/grants";
import { WORKSPACE_PERMISSIONS } from "../platform/permissions";
import type { Operation } from "../platform/http/operation";
import { grantsOf, type HeldRole } from "../records/roles/grants";
import { BUILT_IN_ROLES, ROLES } from "../records/roles/vocabulary";
import { NO_KEY_LIMIT } from "../engine/budgets/budget-rule";
import { authorize } from "./authenticate";
import { alternatives, operations } from "./operations";

const NOW = new Date("2026-11-20T10:00:00.000Z");
const place = { organizationId: "o", workspaceId: "w", userId: "user_1" };
const session = (grants: Grants): Caller => ({ kind: "session", sessionId: "s", userName: "Ada", ...place, grants });
const key = (keyKind: "management" | "inference", grants: Grants): Caller => ({
  kind: "key",
  keyKind,
  keyId: "k",
  keyName: "Key",
  limit: NO_KEY_LIMIT,
  ...place,
  grants,
});

const all = [...operations, ...alternatives];
const guarded = all.filter(({ access }) => access === "management" || access === "member");

/** The permission that a refusal names, "other" for another refusal, and null if there is none. */
function refusalOf(caller: Caller, operation: Operation): unknown {
  try {
    authorize(caller, null, operation, NOW);
    return null;
  } catch (error) {
    return (error as ApiError).metadata?.["permission"] ?? "other";
  }
}

const held = (change: Partial<HeldRole>): HeldRole => ({ role: null, permissions: null, workspace: null, ...change });

it("every operation of managers and members has a permission, and no other has", () => {
  expect(all.filter(({ permission }) => permission !== undefined)).toEqual(guarded);
});

it("a permission for single workspaces is one that a role in a workspace gives", () => {
  const narrowed = guarded.filter(({ byWorkspace }) => byWorkspace);
  expect(narrowed.length).toBeGreaterThan(0);
  for (const { id, permission } of narrowed) expect(WORKSPACE_PERMISSIONS, id).toContain(permission);
});

describe.each(ROLES)("%s", (slug) => {
  const permissions: readonly string[] = BUILT_IN_ROLES[slug].permissions;
  const grants = grantsOf([held({ permissions })]);
  const inWorkspace = grantsOf([held({ permissions, workspace: "w" })]);

  it.each(guarded.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
    const { access, permission = "", byWorkspace } = operation;
    const missing = permissions.includes(permission) ? null : permission;
    const isThere = byWorkspace && WORKSPACE_PERMISSIONS.some((name) => name === permission);
    const missingThere = isThere ? missing : permission;
    expect(refusalOf(key("management", grants), operation)).toBe(missing);
    expect(refusalOf(key("management", inWorkspace), operation)).toBe(missingThere);
    // The service narrows a member to what is theirs.
    expect(refusalOf(session(grants), operation)).toBe(access === "member" ? null : missing);
    expect(refusalOf(session(inWorkspace), operation)).toBe(access === "member" ? null : missingThere);
  });
});

it("an inference key may call none of them, whatever it were granted", () => {
  const grants = grantsOf([held({ role: "owner" })]);
  for (const operation of guarded) expect(refusalOf(key("inference", grants), operation), operation.id).toBe("other");
});
