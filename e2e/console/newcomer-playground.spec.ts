import { mergeTests } from "@playwright/test";
import { startFakeProvider } from "../fake-provider";
import { test as ownServerTest } from "../own-server";
import { ADMIN } from "../server";
import { expect, SIGNED_OUT, test as consoleTest } from "./console-test";

const test = mergeTests(consoleTest, ownServerTest);
test.use({ storageState: SIGNED_OUT });

const PROVIDER_KEY = "sk-story-0123456789";
const PROMPT = "Charge the order to 4242 4242 4242 4242.";

test("a newcomer connects a provider, adds a guardrail and a key, makes a blocked request a policy test, and sees what was spent", async ({
  page,
  own,
}) => {
  test.slow();
  const upstream = await startFakeProvider({ apiKey: PROVIDER_KEY, models: [{ id: "large" }] });
  const { url } = await own.start({ SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true" });
  const navigation = page.getByRole("navigation", { name: "Main" });
  const go = (name: string) => navigation.getByRole("link", { name }).click();

  await test.step("sign in", async () => {
    await page.goto(url);
    await page.getByLabel("Email").fill(ADMIN.email);
    await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  });

  await test.step("the playground says what is missing", async () => {
    await go("Playground");
    await expect(page.getByRole("heading", { name: "No inference key yet" })).toBeVisible();
  });

  await test.step("first provider", async () => {
    await go("Providers & models");
    await page.getByRole("link", { name: "Add provider" }).first().click();
    await page.getByRole("textbox", { name: "Slug" }).fill("acme");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Acme");
    await page.getByRole("textbox", { name: "Base URL" }).fill(upstream.baseUrl);
    await page.getByLabel("API key").fill(PROVIDER_KEY);
    await page.getByRole("button", { name: "Add provider" }).click();
    await expect(page.getByRole("region", { name: "Connection" })).toContainText("Connected");
    await page.getByRole("button", { name: "Import models" }).click();
    const dialog = page.getByRole("dialog", { name: "Import models from Acme" });
    await dialog.getByRole("button", { name: "Import 1 model" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
  });

  await test.step("a price for its model", async () => {
    await go("Providers & models");
    await page.getByRole("tab", { name: "Models" }).click();
    await page.getByRole("table", { name: "Models" }).getByRole("button", { name: "acme/large" }).click();
    const sheet = page.getByRole("dialog", { name: "acme/large" });
    await sheet.getByRole("textbox", { name: "Prompt price (USD)" }).fill("3");
    await sheet.getByRole("textbox", { name: "Completion price (USD)" }).fill("15");
    await sheet.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("“acme/large” saved")).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("guardrail", async () => {
    await go("Guardrails");
    await page.getByRole("link", { name: "New guardrail" }).first().click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("No cards");
    await page.getByRole("radiogroup", { name: "Payment card numbers" }).getByRole("radio", { name: "Block" }).click();
    await page.getByRole("button", { name: "Create guardrail" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "No cards" })).toBeVisible();
  });

  await test.step("key, created from the playground, with code to connect", async () => {
    await go("Playground");
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Support bot");
    await dialog.getByRole("combobox", { name: "Guardrail" }).click();
    await page.getByRole("option", { name: "No cards" }).click();
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog.getByRole("region", { name: "Connect" })).toContainText("acme/large");
    await dialog.getByRole("button", { name: "I have stored it" }).click();
  });

  const record = page.getByRole("region", { name: "Decision record" });
  await test.step("an answer from the provider", async () => {
    await expect(page.getByRole("combobox", { name: "Key", exact: true })).toHaveValue(/^Support bot/);
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(record.first()).toContainText("Succeeded");
    expect(upstream.requestsFor("large")).toHaveLength(1);
  });

  await test.step("the first blocked request, and its reason", async () => {
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("textbox", { name: "Message" }).fill(PROMPT);
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(record).toContainText("Blocked by guardrail “No cards” (key)");
    await expect(record).toContainText("Payment card numbers");
    expect(upstream.requestsFor("large"), "nothing reached the provider").toHaveLength(1);
  });

  await test.step("its policy test", async () => {
    await record.getByRole("button", { name: "Save as policy test…" }).click();
    const dialog = page.getByRole("dialog", { name: "New policy test" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Card numbers are blocked");
    await dialog.getByRole("button", { name: "Add test" }).click();
    await expect(page.getByText("Test “Card numbers are blocked” saved")).toBeVisible();
    await record.getByRole("link", { name: /^No cards@/ }).click();
    await expect(page).toHaveURL(/\/guardrails\//);
  });

  const SOME_USD = /\$0\.0*[1-9]/;
  await test.step("the most expensive request", async () => {
    await go("Generations");
    const log = page.getByRole("table", { name: "Generations" });
    await log.getByRole("button", { name: "Cost" }).click();
    const [first, second] = [log.getByRole("row").nth(1), log.getByRole("row").nth(2)];
    await expect(first).toContainText("Succeeded");
    await expect(first).toContainText(SOME_USD);
    await expect(second).toContainText("Blocked");
  });

  await test.step("who spent what", async () => {
    await go("API keys");
    const keys = page.getByRole("table", { name: "API keys" });
    await keys.getByRole("button", { name: "Spend, 7 days" }).click();
    await expect(keys.getByRole("row").nth(1)).toContainText("Support bot");
    await expect(keys.getByRole("row").nth(1)).toContainText(SOME_USD);
  });
  await upstream.stop();
});
