import { mergeTests } from "@playwright/test";
import { test as ownServerTest } from "../own-server";
import { ADMIN } from "../server";
import { expect, SIGNED_OUT, test as consoleTest } from "./console-test";

const test = mergeTests(consoleTest, ownServerTest);
test.use({ storageState: SIGNED_OUT });

test("a new user follows the checklist and sees why a guardrail blocked a request @journey", async ({ page, own }) => {
  test.slow();
  const { url } = await own.start();
  await page.goto(url);
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByText("Sign in", { exact: true }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByText("0 of 5 steps completed")).toBeVisible();
  await expect(steps.getByText("Requires the key from step 1.")).toBeVisible();
  await steps.getByText("Create key", { exact: true }).click();
  await expect(steps.getByLabel("Key", { exact: true })).toHaveValue(/^sb-key-v1-/);
  await steps.getByText("Create guardrail").click();
  await steps.getByText("Assign to key").click();
  await expect(steps.getByText("3 of 5 steps completed")).toBeVisible();
  await steps.getByText("Send request").click();

  await expect(steps.getByText("Your guardrail blocked this request before it reached the model.")).toBeVisible();
  await expect(steps.getByText("Starter protection: Payment card numbers block")).toBeVisible();
  await expect(steps.getByText("4 of 5 steps completed")).toBeVisible();
  await expect(steps.getByRole("link", { name: "Add provider" })).toHaveAttribute("href", "/providers/new");
  await steps.getByText("See why").click();
  await expect(page).toHaveURL(/\/generations\/gen-/);
  const main = page.getByRole("main").or(page.getByRole("dialog"));
  await expect(main.getByText("Blocked").first()).toBeVisible();
  await expect(main.getByText("Starter protection").first()).toBeVisible();

  await test.step("progress is kept until the checklist is closed", async () => {
    await page.goto(url);
    await expect(steps.getByText("4 of 5 steps completed")).toBeVisible();
    await expect(page.getByRole("group", { name: "Figures" })).toContainText("Blocked1");
    await steps.getByText("Skip checklist").click();
    await expect(steps).toBeHidden();
    await page.reload();
    await expect(page.getByRole("group", { name: "Figures" })).toBeVisible();
    await expect(steps).toBeHidden();
  });
});

test("after a reload the key must be rotated; another prompt is redacted", async ({ page, own }) => {
  test.slow();
  const { url } = await own.start();
  await page.goto(url);
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  const steps = page.getByRole("region", { name: "First steps" });
  await steps.getByLabel("Key name").fill(" ");
  await steps.getByRole("button", { name: "Create key" }).click();
  await expect(steps.getByLabel("Key name")).toHaveAccessibleDescription(/is required/);
  await steps.getByLabel("Key name").fill("Robot");
  await steps.getByRole("button", { name: "Create key" }).click();
  const text = await steps.getByLabel("Key", { exact: true }).inputValue();

  await page.reload();
  await expect(steps.getByText("1 of 5 steps completed")).toBeVisible();
  await expect(steps.getByText(/The key was shown once and can’t be shown again/)).toBeVisible();
  await expect(steps.getByRole("button", { name: "Send request" })).toBeDisabled();
  await steps.getByRole("button", { name: "Rotate key" }).click();
  await expect(steps.getByLabel("Key", { exact: true })).toHaveValue(/^sb-key-v1-/);
  expect(await steps.getByLabel("Key", { exact: true }).inputValue()).not.toBe(text);

  await page.route(
    "**/v1/guardrails",
    (route) => route.fulfill({ status: 500, json: { error: { code: 500, message: "Internal Server Error" } } }),
    { times: 1 },
  );
  await steps.getByRole("button", { name: "Create guardrail" }).click();
  await expect(steps.getByRole("alert")).toContainText("Internal Server Error");
  await steps.getByRole("button", { name: "Create guardrail" }).click();
  await steps.getByRole("button", { name: "Assign to key" }).click();
  await expect(steps.getByText(/is enforced on every request with “Robot”/)).toBeVisible();
  await steps.getByRole("radio", { name: "Email address" }).click();
  await steps.getByRole("button", { name: "Send request" }).click();
  await expect(steps.getByText("Your guardrail redacted the request before it reached the model.")).toBeVisible();
  await expect(steps.getByText(/Response: .*\[EMAIL\]/)).toBeVisible();
});

test("the checklist can be skipped permanently", async ({ page, own }) => {
  test.slow();
  const { url } = await own.start();
  await page.goto(url);
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Skip checklist" }).click();
  await expect(page.getByText("No requests in this range.").first()).toBeVisible();
  await page.reload();
  await expect(page.getByText("No rules applied in this range.")).toBeVisible();
  await expect(page.getByRole("region", { name: "First steps" })).toBeHidden();
});
