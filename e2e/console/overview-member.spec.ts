import { createResponse } from "../../lib/gateway/contract";
import { expect, createPerson, signIn, SIGNED_OUT, test } from "./console-test";

test.use({ storageState: SIGNED_OUT });

test("a member sees only their own keys' activity", async ({ page, api, world, serverUrl }) => {
  const person = await createPerson(api);
  const own = await world.inferenceKey({ creator_user_id: person.id, limit: 1 });
  const other = await world.inferenceKey({ limit: 1 });
  await page.context().addCookies((await signIn(serverUrl, person)).cookies);
  await page.goto("/");
  await expect(page.getByText("Ask an admin for an inference key")).toBeVisible();
  await expect(page.getByRole("group", { name: "Figures" })).toBeHidden();

  for (const { text } of [own, other])
    await api.call(createResponse, { body: { model: "sandbox/echo", input: "Hello" } }, { as: text });
  await page.reload();
  await expect(page.getByRole("group", { name: "Figures" })).toContainText("Requests1");
  await expect(page.getByRole("tab", { name: "Member" })).toHaveCount(0);
  await page.getByRole("tab", { name: "Key" }).click();
  await expect(page.getByRole("list", { name: "Spend by key" }).getByRole("listitem")).toHaveCount(1);
  await expect(page.getByRole("list", { name: "Spend by key" })).toContainText(own.name);
  const budgets = page.getByRole("list", { name: "Budgets closest to their limit" });
  await expect(budgets).toContainText(own.name);
  await expect(budgets).not.toContainText(other.name);
  await expect(page.getByRole("link", { name: "Coverage" })).toHaveCount(0);
});
