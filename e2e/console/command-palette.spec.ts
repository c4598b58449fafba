import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import { createPresetFromResponses } from "../../lib/records/presets/contract";
import { unique } from "../world";
import { createPerson, expect, signIn, test } from "./console-test";
import { expectAccessible } from "./page-checks";

test("the palette opens by shortcut and navigates to a page", async ({ page }) => {
  await page.goto("/presets", { waitUntil: "networkidle" });
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search the console" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await expectAccessible(page, "command palette");
  await page.keyboard.type("api k");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  await expect(palette).toBeHidden();
});

test("finds guardrails, keys and members by part of the name @journey", async ({ page, api }) => {
  const word = unique("needle");
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: `Rail ${word}` } });
  const { data: key } = await api.call(createKey, { body: { name: `Key ${word}` } });
  await page.goto("/presets");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const palette = page.getByRole("dialog", { name: "Search the console" });
  await palette.getByRole("combobox").fill(word);
  await expect(palette.getByRole("option", { name: guardrail.name })).toBeVisible();
  await expect(palette.getByRole("option", { name: key.name })).toBeVisible();
  await palette.getByRole("option", { name: guardrail.name }).click();
  await expect(page).toHaveURL(new RegExp(`/guardrails/${guardrail.id}$`));
});

test("opens a preset of the chosen workspace", async ({ page, api, world }) => {
  const slug = unique("needle");
  await api.call(createPresetFromResponses, {
    params: { slug },
    query: { workspace_id: world.workspaceId },
    body: { model: "sandbox/echo", input: "Hello" },
  });
  await page.goto(`/keys?workspace=${world.workspaceId}`);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("combobox", { name: "Search the console" }).fill(slug);
  await page.getByRole("option", { name: slug }).click();
  await expect(page).toHaveURL(`/presets/${slug}?workspace=${world.workspaceId}`);
  await expect(page.getByRole("heading", { level: 1, name: slug })).toBeVisible();
});

test("nonsense has no results; Escape closes", async ({ page }) => {
  await page.goto("/presets");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const palette = page.getByRole("dialog", { name: "Search the console" });
  const nonsense = unique("no such thing");
  await palette.getByRole("combobox").fill(nonsense);
  await expect(palette.getByText(`No results for “${nonsense}”`)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
});

test("changes the theme", async ({ page }) => {
  await page.goto("/presets");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("combobox", { name: "Search the console" }).fill("theme: dark");
  await page.getByRole("option", { name: "Theme: Dark" }).click();
  await expect(page.getByRole("button", { name: "Theme: Dark" })).toBeVisible();
});

test("omits a failed list and shows the others", async ({ page, api }) => {
  const { data: key } = await api.call(createKey, { body: { name: unique("Key") } });
  await page.route("**/v1/guardrails?*", (route) =>
    route.fulfill({ status: 503, json: { error: { code: 503, message: "Out of order" } } }),
  );
  await page.goto("/presets");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("combobox", { name: "Search the console" }).fill(key.name);
  await expect(page.getByRole("option", { name: key.name })).toBeVisible();
});

test("finds pages by everyday words and does what is asked @journey", async ({ page }) => {
  await page.goto("/presets");
  const search = page.getByRole("combobox", { name: "Search the console" });
  const find = async (text: string) => {
    await page.keyboard.press("Control+k");
    await search.fill(text);
  };
  await find("logs");
  await page.getByRole("option", { name: "Generations", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Generations" })).toBeVisible();
  await find("invite");
  await expect(page.getByRole("option", { name: "Invite member" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  const invitation = page.getByRole("dialog", { name: "Invite member" });
  await expect(invitation).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(invitation).toBeHidden();
  await expect(page).toHaveURL("/members");
  await find("create webhook");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "New webhook" })).toBeVisible();
  await page.keyboard.press("Escape");
  await find("password");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/account#password");
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
});

test.describe("for a member", () => {
  test("offers only what a member can access", async ({ browser, api, serverUrl }) => {
    const context = await browser.newContext({
      baseURL: serverUrl,
      storageState: await signIn(serverUrl, await createPerson(api)),
    });
    const page = await context.newPage();
    await page.goto("/");
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Search the console" });
    await expect(palette.getByRole("option", { name: "Presets" })).toBeVisible();
    await expect(palette.getByRole("option", { name: "Audit log" })).toHaveCount(0);
    await expect(palette.getByRole("option", { name: "New guardrail" })).toHaveCount(0);
    await expect(palette.getByRole("option", { name: "Change password" })).toBeVisible();
    for (const text of ["invite", "webhooks", "coverage", "prices"]) {
      await palette.getByRole("combobox").fill(text);
      await expect(palette.getByText(`No results for “${text}”`)).toBeVisible();
    }
    await palette.getByRole("combobox").fill("new key");
    await expect(palette.getByText("No results for “new key”"), "without self-service").toBeVisible();
    await palette.getByRole("combobox").fill("log out");
    await palette.getByRole("option", { name: "Sign out" }).click();
    await expect(page).toHaveURL(/\/sign-in/);
    await context.close();
  });
});
