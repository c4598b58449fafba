import { getProvider } from "../../lib/records/providers/contract";
import { startFakeProvider, type FakeProvider } from "../fake-provider";
import { unique } from "../world";
import { expect, test as base } from "./console-test";
import { expectAccessible } from "./page-checks";

const KEY = "sk-story-0123456789";

const test = base.extend<{ upstream: FakeProvider }>({
  upstream: async ({}, use) => {
    const upstream = await startFakeProvider({
      apiKey: KEY,
      models: [{ id: "own-large" }, { id: "own-small" }, { id: "text-embedding-3-small" }],
    });
    await use(upstream);
    await upstream.stop();
  },
});

test("an admin adds a provider, sees the connection test, and imports its models @journey", async ({
  page,
  upstream,
}) => {
  const slug = unique("story");
  await page.goto("/providers");
  await page.getByRole("link", { name: "Add provider" }).first().click();
  await page.getByRole("textbox", { name: "Slug" }).fill(slug);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Story provider");
  await page.getByRole("textbox", { name: "Base URL" }).fill(upstream.baseUrl);
  await page.getByLabel("API key").fill(KEY);
  await page.getByRole("button", { name: "Add provider" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Story provider" })).toBeVisible();
  const connection = page.getByRole("region", { name: "Connection" });
  await expect(connection).toContainText("Connected: The upstream lists 3 models");
  await expect(page.getByText(KEY)).toHaveCount(0);

  await page.getByRole("button", { name: "Import models" }).click();
  const dialog = page.getByRole("dialog", { name: "Import models from Story provider" });
  await expect(dialog.getByRole("list", { name: "Models to import" })).toContainText(`${slug}/own-large`);
  await expect(dialog).toContainText("Skipped: 1 not chat models");
  await dialog.getByRole("checkbox", { name: `${slug}/own-small` }).click();
  await dialog.getByRole("button", { name: "Import 1 model" }).click();
  await expect(dialog).toContainText("1 imported model has no price");
  await expect(dialog.getByRole("link", { name: `${slug}/own-large` })).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  const models = page.getByRole("region", { name: "Models" });
  await expect(models).toContainText(`${slug}/own-large`);
  await expect(models).toContainText("Unknown");

  await page.goto(`/providers?q=${slug}`);
  await expect(page.getByRole("table", { name: "Providers" }).getByRole("row").filter({ hasText: slug })).toContainText(
    "Stored",
  );
});

test("a key rejected by the upstream is reported immediately and can be retested", async ({ page, upstream }) => {
  await page.goto("/providers/new");
  await page.getByRole("textbox", { name: "Slug" }).fill(unique("refused"));
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Refused");
  await page.getByRole("textbox", { name: "Base URL" }).fill(upstream.baseUrl);
  await page.getByLabel("API key").fill("sk-wrong-0123456789");
  await page.getByRole("button", { name: "Add provider" }).click();
  const connection = page.getByRole("region", { name: "Connection" });
  await expect(connection).toContainText("Connected, but the test failed: Incorrect API key provided");
  await expect(connection).toContainText("401");
  const before = upstream.received.length;
  await connection.getByRole("button", { name: "Test connection" }).click();
  await expect.poll(() => upstream.received.length).toBe(before + 1);
  await page.getByRole("button", { name: "Import models" }).click();
  await expect(page.getByRole("dialog")).toContainText("Incorrect API key provided");
});

test("the typed settings are tested before they are saved, and the last test is remembered with its time", async ({
  page,
  api,
  upstream,
}) => {
  const slug = unique("before");
  await page.goto("/providers/new");
  const test = page.getByRole("region", { name: "Connection test" });
  await test.getByRole("button", { name: "Test connection" }).click();
  const baseUrl = page.getByRole("textbox", { name: "Base URL" });
  await expect(baseUrl).toHaveAccessibleDescription(/is required/);
  await expect(page.getByRole("textbox", { name: "Slug" }), "only what the test needs").not.toHaveAccessibleDescription(
    /must consist/,
  );
  await baseUrl.fill("http://169.254.169.254/v1");
  await test.getByRole("button", { name: "Test connection" }).click();
  await expect(baseUrl).toHaveAccessibleDescription(/link-local or metadata/);
  await baseUrl.fill(upstream.baseUrl);
  await page.getByLabel("API key").fill("sk-wrong-0123456789");
  await test.getByRole("button", { name: "Test connection" }).click();
  await expect(test).toContainText("Connected, but the test failed: Incorrect API key provided");
  await expect(page.getByText("sk-wrong-0123456789")).toHaveCount(0);
  await page.getByLabel("API key").fill(KEY);
  await expect(test).toContainText("The settings have changed since this test.");
  await test.getByRole("button", { name: "Test connection" }).click();
  await expect(test).toContainText("Connected: The upstream lists 3 models");
  await expectAccessible(page, "a tested form");
  await api.refuse(getProvider, 404, { params: { slug } });

  await page.getByRole("textbox", { name: "Slug" }).fill(slug);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Tested before");
  await page.getByRole("button", { name: "Add provider" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Tested before" })).toBeVisible();
  const connection = page.getByRole("region", { name: "Connection", exact: true });
  await expect(connection).toContainText("Connected: The upstream lists 3 models");
  const { data } = await api.call(getProvider, { params: { slug } });
  expect(data.last_test).toMatchObject({ ok: true, models_count: 3 });
  await page.reload();
  await expect(connection).toContainText("Connected: The upstream lists 3 models");
  await expect(connection.locator("time")).toHaveAttribute("datetime", data.last_test?.tested_at ?? "");
  await page.goto(`/providers?q=${slug}`);
  await expect(page.getByRole("table", { name: "Providers" }).getByRole("row").filter({ hasText: slug })).toContainText(
    "Connected",
  );
});

test("choosing a vendor fills in the form; errors appear on their fields", async ({ page }) => {
  await page.goto("/providers/new");
  await page.getByRole("button", { name: "Add provider" }).click();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveAccessibleDescription(/is required/);
  await page.getByRole("combobox", { name: "Vendor" }).click();
  await page.getByRole("option", { name: "OpenAI" }).click();
  await expect(page.getByRole("textbox", { name: "Base URL" })).toHaveValue("https://api.openai.com/v1");
  const kind = page.getByRole("combobox", { name: "Kind" });
  await expect(kind, "the address tells it").toBeHidden();
  await expect(page.getByText("OpenAI-compatible · Chat Completions · Platform account")).toBeVisible();
  await page.getByRole("textbox", { name: "Base URL" }).fill("ftp://files.example");
  await page.getByRole("textbox", { name: "Slug" }).fill("sandbox");
  await page.getByRole("button", { name: "Add provider" }).click();
  await expect(page.getByRole("textbox", { name: "Base URL" })).toHaveAccessibleDescription(
    /must be an http or https URL/,
  );
  await page.getByRole("textbox", { name: "Base URL" }).fill("https://api.example.com/v1");
  await expect(kind, "the address doesn't tell it").toBeVisible();
  await page.getByRole("button", { name: "Add provider" }).click();
  await expect(page.getByRole("textbox", { name: "Slug" })).toHaveAccessibleDescription(/already exists/);
});
