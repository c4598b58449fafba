import { createGuardrail, getGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { box, openEditor, openSection } from "./guardrail-page";

test("only changed fields are counted and saved, by Ctrl+S or the button @journey", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, {
    body: { name: unique("Edited"), ignored_models: ["a/b", "c/d"], limit_usd: 5 },
  });
  await openEditor(page, `/guardrails/${guardrail.id}`);
  const save = page.getByRole("button", { name: "Save changes" });
  await expect(save).toBeDisabled();
  await box(page, "Description").fill("New words");
  await page.getByRole("button", { name: "Remove a/b" }).click();
  await expect(page.getByText("2 fields changed")).toBeVisible();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
  await expect(page.getByText("2 fields changed")).toHaveCount(0);
  expect((await api.call(getGuardrail, { params: { id: guardrail.id } })).data).toMatchObject({
    description: "New words",
    ignored_models: ["c/d"],
    limit_usd: 5,
  });

  await box(page, "Limit (USD)").fill("6");
  await expect(page.getByText("1 field changed")).toBeVisible();
  await box(page, "Limit (USD)").fill("5");
  await expect(save, "a reverted field is not a change").toBeDisabled();
  await box(page, "Limit (USD)").fill("7.25");
  await save.click();
  await expect(page.getByText("Revision 3", { exact: true })).toBeVisible();
  await page.reload();
  await expect(box(page, "Limit (USD)")).toHaveValue("7.25");
});

test("changes can be discarded", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, {
    body: { name: unique("Discarded"), description: "before" },
  });
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await box(page, "Description").fill("after");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(box(page, "Description")).toHaveValue("before");
});

test("closed sections say what they contain; links, errors and the keyboard open them @journey", async ({
  page,
  api,
}) => {
  const { data: guardrail } = await api.call(createGuardrail, {
    body: {
      name: unique("Folded"),
      ignored_providers: ["evil-cloud"],
      content_filter_builtins: [{ slug: "secrets", action: "block" }],
      content_filters: ["one", "two", "three"].map((pattern) => ({ pattern, action: "flag" as const })),
    },
  });
  await openEditor(page, `/guardrails/${guardrail.id}`);
  const section = (name: string) => page.getByRole("button", { name, exact: true });
  await expect(section("Prompt injection and secrets")).toHaveAccessibleDescription(
    "Prompt injection: off · Secrets: block",
  );
  await expect(section("Custom patterns")).toHaveAccessibleDescription("3 custom patterns");
  await expect(section("Providers")).toHaveAccessibleDescription("evil-cloud blocked");
  await expect(section("Zero data retention")).toHaveAccessibleDescription("Off");
  await expect(page.getByRole("radiogroup", { name: "Email addresses" }), "personal data is open").toBeVisible();

  const zdr = page.getByRole("switch", { name: "Models from OpenAI" });
  await section("Zero data retention").focus();
  await page.keyboard.press("Enter");
  await zdr.click();
  await section("Zero data retention").press("Space");
  await expect(zdr).toBeHidden();
  await expect(section("Zero data retention"), "it keeps what was set").toHaveAccessibleDescription("OpenAI");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(section("Zero data retention")).toHaveAccessibleDescription("Off");

  await page.route(`**/v1/guardrails/${guardrail.id}`, async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    const issues = [{ path: ["external_checks"], message: "can't be reached", code: "custom" }];
    await route.fulfill({
      status: 400,
      json: { error: { code: 400, message: "Invalid request", metadata: { issues } } },
    });
  });
  await box(page, "Description").fill("Words");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(section("External checks")).toHaveAttribute("aria-expanded", "true");
  await expect(section("External checks")).toBeFocused();
  await expect(page.getByRole("region", { name: "External checks" }).getByText("1 error")).toBeVisible();

  await page.goto(`/guardrails/${guardrail.id}#zdr`);
  await expect(zdr).toBeVisible();
  await expect(zdr).toBeInViewport();
});

test("the deprecated all-vendors setting is shown where set; removing it keeps the four settings", async ({
  page,
  api,
}) => {
  const { data: guardrail } = await api.call(createGuardrail, {
    body: { name: unique("Old switch"), enforce_zdr: true, enforce_zdr_vendor_b: false },
  });
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await openSection(page, "Zero data retention");
  await page.getByRole("button", { name: "Remove deprecated setting" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
  expect((await api.call(getGuardrail, { params: { id: guardrail.id } })).data).toMatchObject({
    enforce_zdr: null,
    enforce_zdr_vendor_a: true,
    enforce_zdr_vendor_b: false,
    enforce_zdr_vendor_c: true,
    enforce_zdr_other: true,
  });
  await expect(page.getByText("Uses the deprecated all-vendors setting")).toHaveCount(0);
});

test("leaving with unsaved changes asks first", async ({ page }) => {
  await openEditor(page, "/guardrails/new");
  await box(page, "Name").fill("Unsaved");
  const presets = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Presets" });
  await presets.click();
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(box(page, "Name")).toHaveValue("Unsaved");
  await presets.click();
  await question.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
});

test("the browser's Back asks before it discards unsaved changes", async ({ page }) => {
  await page.goto("/presets");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Guardrails" }).click();
  await page.getByRole("link", { name: "New guardrail" }).first().click();
  await box(page, "Name").pressSequentially("Unsaved");
  await page.evaluate(() => window.history.back());
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(page).toHaveURL(/\/guardrails\/new$/);
  await expect(box(page, "Name")).toHaveValue("Unsaved");
  await page.evaluate(() => window.history.back());
  await question.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Guardrails" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
});

test("server errors appear on their fields and input is kept", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Refused") } });
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await page.route(`**/v1/guardrails/${guardrail.id}`, async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    const issues = [{ path: ["description"], message: "says too little", code: "custom" }];
    await route.fulfill({
      status: 400,
      json: { error: { code: 400, message: "Invalid request", metadata: { issues } } },
    });
  });
  await box(page, "Description").fill("Words");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(box(page, "Description")).toHaveAccessibleDescription(/says too little/);
  await expect(box(page, "Description")).toBeFocused();
  await expect(box(page, "Description")).toHaveValue("Words");
  await expect(page.getByRole("alert").filter({ hasText: "says too little" })).toHaveCount(0);
});

test("a guardrail that does not exist is not found", async ({ page }) => {
  await page.goto("/guardrails/0df9e665-d932-5740-b2c7-b52af166bc11");
  await expect(page.getByRole("alert").getByText("Not found")).toBeVisible();
});

test("the bar with the buttons to save stays at the bottom edge when the page is scrolled to its end", async ({
  page,
  world,
}) => {
  const { id } = await world.guardrail();
  await openEditor(page, `/guardrails/${id}`);
  const bar = page.locator("[data-bottom-bar]");
  const bottom = async () => {
    const box = await bar.boundingBox();
    return Math.round((box?.y ?? 0) + (box?.height ?? 0));
  };
  const height = page.viewportSize()?.height;
  expect(await bottom()).toBe(height);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  expect(await bottom()).toBe(height);
});
