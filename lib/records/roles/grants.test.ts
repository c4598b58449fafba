import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holds, holdsSomewhere, inBoth, workspacesWith, type Grants } from "../../platform/grants";
import { PERMISSION_NAMES, type Permission } from "../../platform/permissions";
import { firstMissing, grantsOf, permissionsOf, type HeldRole } from "./grants";

const held = (change: Partial<HeldRole>): HeldRole => ({ role: null, permissions: null, workspace: null, ...change });

describe("permissions of a stored role", () => {
  it("are those of a built-in or a custom one, without unknown names", () => {
    expect(permissionsOf({ role: "member", permissions: null })).toEqual(["presets:read", "own_keys:write"]);
    expect(permissionsOf({ role: "member", permissions: ["keys:read", "moon:write"] })).toEqual(["keys:read"]);
    expect(permissionsOf({ role: null, permissions: null })).toEqual([]);
  });
});

describe("grants", () => {
  it("add up, and a role in a workspace gives only permissions for workspaces", () => {
    const grants = grantsOf([
      held({ role: "billing" }),
      held({ permissions: ["audit:read"] }),
      held({ role: "admin", workspace: "a" }),
      held({ permissions: ["keys:read", "members:read"], workspace: "b" }),
    ]);
    const holder = { grants };
    expect([...grants.organization].toSorted()).toEqual([
      "analytics:read",
      "audit:read",
      "budgets:read",
      "budgets:write",
      "keys:read",
    ]);
    expect(workspacesWith(holder, "keys:read")).toBe("all");
    expect(workspacesWith(holder, "guardrails:write")).toEqual(["a"]);
    expect(workspacesWith(holder, "members:read")).toEqual([]);
    expect(holds(holder, "guardrails:write")).toBe(false);
    expect(holdsSomewhere(holder, "guardrails:write")).toBe(true);
    expect(holdsSomewhere(holder, "providers:write")).toBe(false);
  });

  it("meet in the workspaces of both", () => {
    expect(inBoth("all", "all")).toBe("all");
    expect(inBoth("all", ["a"])).toEqual(["a"]);
    expect(inBoth(["a", "b"], "all")).toEqual(["a", "b"]);
    expect(inBoth(["a", "b"], ["b", "c"])).toEqual(["b"]);
  });
});

describe("the first missing permission", () => {
  const admin = { grants: grantsOf([held({ role: "admin" })]) };
  const lead = { grants: grantsOf([held({ permissions: ["roles:write"] }), held({ role: "admin", workspace: "a" })]) };

  it.each([
    ["an owner of an admin", admin, [held({ role: "owner" })], "sign_in:write"],
    ["an admin of an admin", admin, [held({ role: "admin" })], null],
    ["any workspace of an admin", admin, [held({ role: "owner", workspace: "a" })], null],
    ["the lead's workspace", lead, [held({ role: "policy_editor", workspace: "a" })], null],
    ["another workspace", lead, [held({ role: "policy_editor", workspace: "b" })], "guardrails:read"],
    ["the organization", lead, [held({ permissions: ["guardrails:read"] })], "guardrails:read"],
  ])("%s", (_, holder, given, expected) => {
    expect(firstMissing(holder, grantsOf(given))).toBe(expected);
  });
});

const WORKSPACES = [null, "a", "b"] as const;
const role = fc.record({
  role: fc.constant(null),
  permissions: fc.uniqueArray(fc.constantFrom(...PERMISSION_NAMES), { maxLength: 6 }),
  workspace: fc.constantFrom(...WORKSPACES),
});
const PEOPLE = [0, 1, 2, 3];
const gift = fc.record({ from: fc.constantFrom(...PEOPLE), to: fc.constantFrom(...PEOPLE), given: role });

/** Every permission with the place for which it is held. */
const placesOf = ({ organization, workspaces }: Grants): Set<string> =>
  new Set([
    ...[...organization].flatMap((name: Permission) => WORKSPACES.map((place) => `${name} ${place}`)),
    ...[...workspaces].flatMap(([place, names]) => [...names].map((name) => `${name} ${place}`)),
  ]);

it("no sequence of gifts gives anybody a permission that nobody had", () => {
  const check = (first: HeldRole[], gifts: readonly { from: number; to: number; given: HeldRole }[]) => {
    const roles: HeldRole[][] = PEOPLE.map((person) => (person === 0 ? [...first] : []));
    const all = placesOf(grantsOf(first));
    for (const { from, to, given } of gifts) {
      const grants = grantsOf(roles[from] ?? []);
      const before = placesOf(grants);
      if (firstMissing({ grants }, grantsOf([given])) !== null) continue;
      roles[to]?.push(given);
      for (const place of placesOf(grantsOf([given]))) expect(before).toContain(place);
    }
    for (const own of roles) for (const place of placesOf(grantsOf(own))) expect(all).toContain(place);
  };
  fc.assert(fc.property(fc.array(role, { maxLength: 4 }), fc.array(gift, { maxLength: 30 }), check));
});
