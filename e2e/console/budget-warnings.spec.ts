import { listBudgets } from "../../lib/records/budgets/contract";
import { getGuardrailThresholds } from "../../lib/records/budgets/thresholds-contract";
import { createResponse } from "../../lib/gateway/contract";
import { expect, test } from "./console-test";

test("a guardrail gets custom warnings and shows the thresholds reached", async ({ page, api, world }) => {
  const guardrail = await world.guardrail({ limit_usd: 0.0001, reset_interval: "monthly" });
  const key = await world.inferenceKey({ guardrail_id: guardrail.id, name: "nightly-eval" });
  await page.goto(`/guardrails/${guardrail.id}`);
  const warnings = page.getByRole("region", { name: "Budgets and warnings" });
  await expect(warnings).toContainText("organization default");
  await warnings.getByRole("button", { name: "Change warnings" }).click();
  const percents = warnings.getByRole("textbox", { name: "Warn at (percent)" });
  await percents.fill("500");
  await percents.press("Enter");
  await warnings.getByRole("button", { name: "Save warnings" }).click();
  await expect(percents).toHaveAccessibleDescription(/must be at most 100/);
  // The list starts with the organization's thresholds, whatever they are.
  const remove = warnings.getByRole("button", { name: /^Remove \d+$/ });
  for (let left = await remove.count(); left > 0; left--) await remove.first().click();
  await percents.fill("1, 100");
  await percents.press("Enter");
  await warnings.getByRole("button", { name: "Save warnings" }).click();
  await expect(warnings).toContainText("Warns at 1%, 100% (custom)");
  expect((await api.call(getGuardrailThresholds, { params: { id: guardrail.id } })).data.percents).toEqual([1, 100]);

  expect(
    (
      await api.send(
        createResponse,
        { body: { model: "sandbox/echo", input: "Hello ".repeat(20), max_output_tokens: 50 } },
        { as: key.text },
      )
    ).status,
  ).toBe(200);
  const reached = async () =>
    (await api.call(listBudgets, { query: { key_hash: key.hash } })).data.flatMap(({ alerts }) => alerts);
  await expect.poll(async () => (await reached()).length).toBeGreaterThan(0);
  await page.reload();
  await expect(warnings.getByRole("list", { name: "Budgets" })).toContainText(/\d+% reached \w+ \d\d:\d\d/);
  await page.goto(`/keys/${key.hash}`);
  await expect(page.getByRole("region", { name: "Remaining budgets" })).toContainText(/\d+% reached \w+ \d\d:\d\d/);
});
