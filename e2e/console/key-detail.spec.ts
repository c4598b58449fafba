import { bulkAssignMembers } from "../../lib/records/guardrails/assignments-contract";
import { createResponse } from "../../lib/gateway/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";

test("a key's page shows its effective policy with sources @journey", async ({ page, api, world }) => {
  const owner = await world.member({ first_name: "Ada", last_name: unique("L") });
  const [people, production] = await Promise.all([
    world.guardrail({
      name: unique("People"),
      allowed_models: ["sandbox/echo", "sandbox/reasoner"],
      limit_usd: 20,
      reset_interval: "monthly",
    }),
    world.guardrail({
      name: unique("Production"),
      allowed_models: ["sandbox/echo"],
      ignored_providers: ["evil-cloud"],
      content_filter_builtins: [{ slug: "email", action: "redact" }],
    }),
  ]);
  await api.call(bulkAssignMembers, { params: { id: people.id }, body: { member_user_ids: [owner.id] } });
  const key = await world.inferenceKey({ creator_user_id: owner.id, guardrail_id: production.id, limit: 3 });
  const { id } = await api.as(key.text).call(createResponse, { body: { model: "sandbox/echo", input: "Hello" } });

  await page.goto(`/keys/${key.hash}`);
  const policy = page.getByRole("region", { name: "Effective policy" });
  const row = (term: string) =>
    policy
      .locator("div")
      .filter({ has: page.getByRole("term").filter({ hasText: term }) })
      .last();
  await expect(row("Allowed models")).toContainText("sandbox/echo");
  await expect(row("Allowed models")).not.toContainText("sandbox/reasoner");
  await expect(row("Allowed models").getByRole("link", { name: `${people.name}@1` })).toHaveAttribute(
    "href",
    `/guardrails/${people.id}`,
  );
  await expect(row("Allowed models").getByRole("link", { name: `${production.name}@1` })).toBeVisible();
  await expect(row("Blocked providers")).toContainText("evil-cloud");
  await expect(row("Blocked providers")).not.toContainText(people.name);
  await expect(policy).toContainText("Email addresses: redact");

  const budgets = page.getByRole("region", { name: "Remaining budgets" });
  await expect(budgets.getByRole("meter", { name: people.name })).toHaveAttribute("aria-valuemax", "20");
  await expect(budgets.getByRole("meter", { name: "Key's own limit" })).toHaveAttribute("aria-valuemax", "3");

  await expect(page.getByRole("table", { name: "Recent generations" }).getByRole("link", { name: id })).toBeVisible();
  await page.getByRole("link", { name: "View all" }).click();
  await expect(page).toHaveURL(new RegExp(`/generations\\?key_hash=${key.hash}`));

  await page.goBack();
  await page.getByRole("main").getByRole("link", { name: "Playground" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Playground" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Key" })).toHaveValue(new RegExp(`^${key.name}`));
});

test("a prompt can be tried against the key's policy", async ({ page, world }) => {
  const guardrail = await world.guardrail({
    content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[TICKET]", action: "block" }],
  });
  const key = await world.inferenceKey({ guardrail_id: guardrail.id });
  await page.goto(`/keys/${key.hash}`);
  const tryIt = page.getByRole("region", { name: "Try it" });
  await tryIt.getByRole("heading", { name: "Try it" }).click();
  await tryIt.getByRole("textbox", { name: "Prompt" }).fill("About PROJ-1234");
  await tryIt.getByRole("combobox", { name: "Model" }).fill("sandbox/echo");
  await tryIt.getByRole("button", { name: "Check prompt" }).click();
  await expect(tryIt).toContainText("Request blocked by content filter: [TICKET]");
  await expect(tryIt).toContainText(guardrail.name);
});

test("an unrestricted key can be assigned a guardrail in place", async ({ page, world }) => {
  const [guardrail, key] = [await world.guardrail({ allowed_providers: ["sandbox"] }), await world.inferenceKey()];
  await page.goto(`/keys/${key.hash}`);
  const policy = page.getByRole("region", { name: "Effective policy" });
  await expect(policy).toContainText("No restrictions apply to this key.");
  await page.getByRole("button", { name: "Assign guardrail" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("option", { name: guardrail.name }).click();
  await dialog.getByRole("button", { name: /^Assign 1 key/ }).click();
  await expect(policy.getByRole("link", { name: `${guardrail.name}@1` })).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Key", exact: true }).getByRole("link", { name: guardrail.name }),
  ).toBeVisible();
});
