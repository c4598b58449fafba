import { createModel } from "../../lib/records/models/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { ask, row, sheet, table } from "./generation-log";

test("the most expensive request is the first of the log sorted by cost @journey", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const unpriced = unique("unpriced/model");
  const endpoints = [{ provider: "sandbox", upstream_model: "sandbox/echo", price: null }];
  await api.call(createModel, { body: { slug: unpriced, endpoints } });
  const dear = await ask(api, key, { input: "word ".repeat(2000) });
  const unknown = await ask(api, key, { model: unpriced });
  const cheap = await ask(api, key);
  const order = () =>
    table(page)
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => /gen-\S+/.exec(link.getAttribute("aria-label") ?? "")?.[0]));

  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect.poll(order).toEqual([cheap, unknown, dear]);
  const header = (name: string) => table(page).getByRole("columnheader", { name });
  await expect(header("Time")).toHaveAttribute("aria-sort", "descending");
  await header("Cost").getByRole("button", { name: "Cost" }).click();
  await expect.poll(order).toEqual([dear, cheap, unknown]);
  await expect(header("Cost")).toHaveAttribute("aria-sort", "descending");
  await expect(header("Time")).not.toHaveAttribute("aria-sort");
  await expect(page).toHaveURL(/sort=-cost/);
  await expect(row(page, unknown)).toContainText("Unknown");

  // Previous and next follow the order.
  await row(page, dear).getByRole("link").click();
  await sheet(page).getByRole("button", { name: "Next generation" }).click();
  await expect(sheet(page).getByText(cheap).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/[?&]id=/);

  await page.reload();
  await expect.poll(order).toEqual([dear, cheap, unknown]);
  await header("Cost").getByRole("button", { name: "Cost" }).click();
  await expect.poll(order).toEqual([cheap, dear, unknown]);
});

test("following the log is newest first", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  await ask(api, key);
  await page.goto(`/generations?key_hash=${key.hash}&sort=-duration`);
  const live = page.getByRole("button", { name: "Live" });
  await live.click();
  await expect(live).toHaveAttribute("aria-pressed", "true");
  await expect(page).not.toHaveURL(/sort=/);
  await expect(row(page, await ask(api, key))).toBeVisible();
  await table(page).getByRole("button", { name: "Tokens" }).click();
  await expect(live).toHaveAttribute("aria-pressed", "false");
  await expect(page).not.toHaveURL(/live=/);
});
