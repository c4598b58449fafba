import { expect, it } from "vitest";
import { ACTIONS, hrefOf, matching, PAGES } from "./commands";
import { DESTINATIONS } from "./navigation";

const found = (text: string) => matching([...PAGES, ...ACTIONS], text.split(" ")).map(({ label }) => label);

it.each([
  ["logs", "Generations"],
  ["requests", "Generations"],
  ["costs", "Analytics"],
  ["billing", "Analytics"],
  ["users", "Members"],
  ["tokens", "API keys"],
  ["prices", "Models"],
  ["prompts", "Presets"],
  ["policies", "Guardrails"],
  ["dashboard", "Overview"],
  ["who changes", "Audit log"],
  ["notifications", "Alerts"],
  ["gaps", "Coverage"],
  ["webhooks", "Webhooks"],
  ["rate limit", "Limits"],
  ["terraform", "Policy as code"],
  ["groups", "Groups"],
  ["rbac", "Roles"],
  ["permissions", "Permissions"],
  ["sso", "Sign-in"],
  ["scim", "Directory"],
])("finds pages by everyday words: %s", (text, page) => {
  expect(found(text)).toContain(page);
});

it.each([
  ["invite", "Invite member"],
  ["add user", "Invite member"],
  ["connect", "Add provider"],
  ["create key", "New key"],
  ["create guardrail", "New guardrail"],
  ["new preset", "New preset"],
  ["create webhook", "New webhook"],
  ["password", "Change password"],
  ["2fa", "Set up two-step verification or a passkey"],
  ["download", "Export generations"],
  ["export audit", "Export audit log"],
  ["new limit", "New limit"],
  ["new group", "New group"],
  ["new role", "New role"],
  ["new identity provider", "New identity provider"],
])("finds actions: %s", (text, action) => {
  expect(found(text)).toContain(action);
});

it("puts labels that begin with the search first, and other words last", () => {
  expect(found("key")[0]).not.toBe("Members");
  expect(found("pre")[0]).toBe("Presets");
  expect(found("alerts")[0]).toBe("Alerts");
  expect(found("password")[0]).toBe("Change password");
  expect(found("xyzzy")).toEqual([]);
});

it("leads to the selected workspace only where a page has one", () => {
  const [guardrail, key] = ["New guardrail", "New key"].map((label) =>
    ACTIONS.find((action) => action.label === label),
  );
  expect(guardrail && hrefOf(guardrail, "w1")).toBe("/guardrails/new?workspace=w1");
  expect(key && hrefOf(key, "w1")).toBe("/keys?new=true");
});

it("has one command for a label", () => {
  const labels = [...PAGES, ...ACTIONS].map(({ label }) => label);
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
});

it("offers a page of the sidebar to whoever sees it there", () => {
  const demands = new Map(PAGES.map((page) => [page.label, page.for]));
  for (const { label, permissions } of DESTINATIONS) expect(demands.get(label), label).toEqual(permissions);
  expect(demands.get("Directory")).toEqual(["organization:read"]);
});
