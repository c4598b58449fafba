import { expect, it } from "vitest";
import { getCoverage } from "@/lib/browser/operations/coverage";
import { createException } from "@/lib/browser/operations/exceptions";
import { createGuardrail } from "@/lib/browser/operations/guardrails";
import { exportPolicy } from "@/lib/browser/operations/policy-file";
import { createWorkspace, deleteWorkspace, updateWorkspace } from "@/lib/browser/operations/workspaces";
import { meets, organizationPermissions, type SignedInUser } from "./user-context";

const everywhere: SignedInUser = {
  name: "Ada",
  permissions: ["guardrails:read", "guardrails:write", "workspaces:write"],
};
const lead: SignedInUser = { ...everywhere, onlyInWorkspaces: everywhere.permissions };

it.each([
  ["a permission in a workspace", "guardrails:write" as const, true],
  ["an operation on a workspace's objects", createGuardrail, true],
  ["a change of a workspace", updateWorkspace, true],
  ["an exception", createException, false],
  ["coverage", getCoverage, false],
  ["policy as code", exportPolicy, false],
  ["a new workspace", createWorkspace, false],
  ["the deletion of a workspace", deleteWorkspace, false],
])("the lead of a workspace is offered %s only if its operation is for workspaces", (_, demand, isOffered) => {
  expect(meets(lead, demand)).toBe(isOffered);
  expect(meets(everywhere, demand)).toBe(true);
  expect(meets({ name: "Bob", permissions: [] }, demand)).toBe(false);
});

it("tells permissions for the organization from those in workspaces", () => {
  expect(organizationPermissions({ ...everywhere, onlyInWorkspaces: ["guardrails:write"] })).toEqual([
    "guardrails:read",
    "workspaces:write",
  ]);
});
