import { operations } from "../../lib/server/operations";
import { expect, SIGNED_OUT, test } from "./console-test";
import { watch } from "./page-watch";

test("the API reference lists and links every operation", async ({ page }) => {
  const complaints = watch(page);
  await page.goto("/");
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("button", { name: "More" }).click();
  await navigation.getByRole("link", { name: "API reference" }).click();
  await expect(page).toHaveURL("/docs");
  const main = page.getByRole("main");
  for (const { id, summary } of operations) {
    await expect(
      main
        .getByRole("link", { name: summary.replaceAll("`", ""), exact: true })
        .and(main.locator(`[href="/docs/${id}"]`)),
    ).toBeVisible();
  }
  await main.getByRole("link", { name: "Create a guardrail", exact: true }).click();
  await expect(page).toHaveTitle("Create a guardrail · Signalbox");
  await expect(page.getByRole("region", { name: "Body" })).toContainText("at most 1000 entries");
  expect(complaints()).toEqual([]);
});

test("a request can be tried as the signed-in user, and its error is shown", async ({ page }) => {
  await page.goto("/docs/listGuardrails");
  const form = page.getByRole("region", { name: "Try it" });
  await form.getByRole("textbox", { name: "limit" }).fill("1");
  await form.getByRole("button", { name: "Send request" }).click();
  await expect(form.getByText("200", { exact: true })).toBeVisible();
  await expect(form.getByRole("group", { name: "Response" })).toContainText('"total_count"');
  await form.getByRole("textbox", { name: "limit" }).fill("none");
  await form.getByRole("button", { name: "Send request" }).click();
  await expect(form.getByText("400", { exact: true })).toBeVisible();
  await expect(form.getByRole("group", { name: "Response" })).toContainText("must be a whole number from 1 to 100");
});

test("an unknown operation is not found", async ({ page }) => {
  expect((await page.goto("/docs/noSuchOperation"))?.status()).toBe(404);
});

test.describe("without an account", () => {
  test.use({ storageState: SIGNED_OUT });

  test("the reference is accessible, and a request can be sent with a key", async ({ page, world }) => {
    const { text } = await world.inferenceKey();
    await page.goto("/docs/getCurrentKey");
    await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
    const form = page.getByRole("region", { name: "Try it" });
    await form.getByRole("button", { name: "Send request" }).click();
    await expect(form.getByText("401", { exact: true })).toBeVisible();
    await form.getByRole("textbox", { name: "API key" }).fill(text);
    await form.getByRole("button", { name: "Send request" }).click();
    await expect(form.getByText("200", { exact: true })).toBeVisible();
  });
});

test("descriptions have code instead of backticks, and no limits of safe integers", async ({ page }) => {
  for (const id of ["createChatCompletion", "createResponse", "listGenerations"]) {
    await page.goto(`/docs/${id}`);
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(main.getByText("`"), id).toHaveCount(0);
    await expect(main.getByText("9007199254740991"), id).toHaveCount(0);
  }
});
