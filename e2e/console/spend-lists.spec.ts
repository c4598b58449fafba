import type { Page } from "@playwright/test";
import { createResponse } from "../../lib/gateway/contract";
import { createPerson, expect, test } from "./console-test";

const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test("keys and members are ordered by what they spent in a range, over all pages", async ({ page, api, world }) => {
  const person = await createPerson(api);
  const used = await world.inferenceKey({ creator_user_id: person.id });
  const unused = await world.inferenceKey();
  const body = { model: "sandbox/echo", input: "Hello", max_output_tokens: 50 };
  expect((await api.send(createResponse, { body }, { as: used.text })).status).toBe(200);

  await page.goto(`/keys?workspace=${world.workspaceId}`);
  const keys = page.getByRole("table", { name: "API keys" });
  await keys.getByRole("button", { name: "Spend, 7 days" }).click();
  await expect(keys.getByRole("columnheader", { name: "Spend, 7 days" })).toHaveAttribute("aria-sort", "descending");
  await expect(keys.getByRole("row")).toHaveText([
    /Name/,
    new RegExp(`${used.name}.*\\$0\\.0`),
    new RegExp(unused.name),
  ]);
  await page.getByRole("combobox", { name: "Spend in" }).click();
  await page.getByRole("option", { name: "Last 24 hours" }).click();
  await keys.getByRole("button", { name: "Spend, 24 hours" }).click();
  await expect(keys.getByRole("row")).toHaveText([/Name/, new RegExp(unused.name), new RegExp(used.name)]);
  expect(query(page)).toMatchObject({ range: "24h", sort: "range_spend" });

  await page.goto(`/members?sort=-range_spend&range=30d&q=${person.email}`);
  const members = page.getByRole("table", { name: "Members" });
  await expect(members.getByRole("columnheader", { name: "Spend, 30 days" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await expect(members.getByRole("row").filter({ hasText: person.email })).toContainText(/\$0\.0/);
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Spend in" })).toContainText("Last 30 days");
});
