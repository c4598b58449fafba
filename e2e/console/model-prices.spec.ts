import { getModel } from "../../lib/records/models/contract";
import { createUpstream, unique } from "../world";
import { expect, test } from "./console-test";

test("a price is changed in the model's sheet; an invalid price is rejected on its field", async ({ page, api }) => {
  const { model, provider } = await createUpstream(api, "http://127.0.0.1:9/v1");
  await page.goto(`/providers?tab=models&q=${encodeURIComponent(model)}`);
  const row = page.getByRole("table", { name: "Models" }).getByRole("row").filter({ hasText: model });
  await expect(row).toContainText("$2.00 / $4.00");
  await row.getByRole("button", { name: model }).click();
  await expect(page).toHaveURL(/[?&]model=/);
  const sheet = page.getByRole("dialog", { name: model });
  const prompt = sheet.getByRole("textbox", { name: "Prompt price (USD)" });
  await prompt.fill("1e3");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(prompt).toHaveAccessibleDescription(/must be a decimal number/);
  await prompt.fill("0.075");
  await sheet.getByRole("textbox", { name: "Context length" }).fill("128,000");
  await sheet.getByText("Prices for cached, audio, image and reasoning tokens").click();
  await sheet.getByRole("textbox", { name: "Cached prompt (USD)" }).fill("0.0075");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText(`“${model}” saved`)).toBeVisible();
  expect((await api.call(getModel, { params: { slug: model } })).data).toMatchObject({
    context_length: 128_000,
    endpoints: [{ provider, price: { prompt: "0.075", completion: "4", request: "0", cache_read: "0.0075" } }],
  });
  await page.reload();
  await expect(
    page.getByRole("dialog", { name: model }).getByRole("textbox", { name: "Prompt price (USD)" }),
  ).toHaveValue("0.075");
  await page.keyboard.press("Escape");
  await expect(row).toContainText("$0.075 / $4.00");
});

test("a model is added manually and deleted by typing its slug", async ({ page, api }) => {
  const { provider } = await createUpstream(api, "http://127.0.0.1:9/v1");
  const slug = `${unique("story")}/large`;
  await page.goto("/providers?tab=models");
  await page.getByRole("button", { name: "Add model" }).click();
  const sheet = page.getByRole("dialog", { name: "Add model" });
  await sheet.getByRole("textbox", { name: "Slug" }).fill(slug);
  await sheet.getByRole("combobox", { name: "Provider" }).click();
  await page.getByRole("option", { name: provider }).click();
  await sheet.getByRole("textbox", { name: "Prompt price (USD)" }).fill("1");
  await sheet.getByRole("textbox", { name: "Completion price (USD)" }).fill("2");
  await sheet.getByRole("button", { name: "Add model" }).click();
  await expect(page.getByText(`“${slug}” added`)).toBeVisible();
  await page.goto(`/providers?tab=models&model=${encodeURIComponent(slug)}`);
  await page.getByRole("dialog", { name: slug }).getByRole("button", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("textbox").fill(slug);
  await question.getByRole("button", { name: "Delete model" }).click();
  // The sheet is hidden, like everything else, while the question is open.
  await expect(question).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await api.refuse(getModel, 404, { params: { slug } });
});
