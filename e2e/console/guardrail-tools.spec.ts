import { createGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { box, openEditor, openSection, openTool } from "./guardrail-page";

test("the tools are tabs: arrow keys move, the URL names the tool, and each keeps its input", async ({
  page,
  world,
}) => {
  const guardrail = await world.guardrail();
  await openEditor(page, `/guardrails/${guardrail.id}`);
  const tools = page.getByRole("tablist", { name: "Tools" });
  await expect(tools.getByRole("tab")).toHaveText([/^Summary/, /^Problems/, /^Impact/, /^Tests/, /^Try it/]);
  await tools.getByRole("tab", { name: "Summary" }).focus();
  await page.keyboard.press("End");
  await expect(tools.getByRole("tab", { name: "Try it" })).toBeFocused();
  await expect(page).toHaveURL(/tool=try/);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("tabpanel", { name: "Try it" })).toBeFocused();
  const prompt = box(page.getByRole("region", { name: "Try it" }), "Prompt");
  await prompt.fill("Hello");
  await openTool(page, "Impact");
  await expect(prompt).toBeHidden();
  await expect(page.getByRole("region", { name: "Impact", exact: true })).toBeVisible();
  await openTool(page, "Try it");
  await expect(prompt).toHaveValue("Hello");
  await expect(page).toHaveURL(/tool=try/);
  await page.reload();
  await expect(tools.getByRole("tab", { name: "Try it" })).toHaveAttribute("aria-selected", "true");
});

test("five tabs with a count fit beside the form, without scrolling", async ({ page, world }) => {
  const guardrail = await world.guardrail();
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await openSection(page, "Custom patterns");
  await page.getByRole("button", { name: "Add filter" }).click();
  await box(page, "Pattern").fill(".*");
  const tools = page.getByRole("tablist", { name: "Tools" });
  await expect(tools.getByRole("tab", { name: "Problems" })).toHaveText("Problems1");
  for (const width of [1024, 1280, 1536]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await tools.evaluate((list) => list.scrollWidth - list.clientWidth), `${width} px`).toBe(0);
  }
});

test("the tabs count the draft's problems and failed tests", async ({ page }) => {
  await openEditor(page, "/guardrails/new");
  const problems = page.getByRole("tab", { name: "Problems" });
  await expect(problems).toHaveText("Problems");
  await openSection(page, "Custom patterns");
  await page.getByRole("button", { name: "Add filter" }).click();
  await box(page, "Pattern").fill(".*");
  await expect(problems).toHaveText("Problems1");
});

test("short settings fit on a screen of 1280×800, with the tools beside them", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openEditor(page, "/guardrails/new");
  const create = await page.getByRole("button", { name: "Create guardrail" }).boundingBox();
  const budget = await page.getByRole("region", { name: "Budget" }).boundingBox();
  const tools = await page.getByRole("tablist", { name: "Tools" }).boundingBox();
  expect((budget?.y ?? Infinity) + (budget?.height ?? 0), "the last short setting").toBeLessThan(create?.y ?? 0);
  expect(tools?.x, "beside the form").toBeGreaterThan((budget?.x ?? 0) + (budget?.width ?? 0) - 1);
  expect(tools?.y).toBeLessThan(400);
});

test("on a narrow screen the tools follow the form", async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 800 });
  await openEditor(page, "/guardrails/new");
  const assignments = await page.getByRole("region", { name: "Assignments" }).boundingBox();
  const tools = await page.getByRole("tablist", { name: "Tools" }).boundingBox();
  expect(tools?.y).toBeGreaterThan(assignments?.y ?? Infinity);
});

test("the rows of the list have one height, whatever they say", async ({ page, api }) => {
  const word = unique("row");
  await page.setViewportSize({ width: 1280, height: 800 });
  await api.call(createGuardrail, { body: { name: `Short ${word}` } });
  await api.call(createGuardrail, {
    body: {
      name: `${"A long name ".repeat(12)}${word}`,
      description: "What this guardrail is for, in more words than a row can show. ".repeat(5),
      allowed_models: ["sandbox/echo"],
      allowed_providers: ["sandbox", "openai", "anthropic", "azure"],
      ignored_models: ["openai/gpt-3.5-turbo"],
      enforce_zdr_vendor_a: true,
      enforce_zdr_vendor_b: true,
      content_filter_builtins: [{ slug: "email", action: "redact" }],
      limit_usd: 1250.5,
      reset_interval: "monthly",
    },
  });
  await page.goto(`/guardrails?q=${word}`);
  const rows = page.getByRole("table", { name: "Guardrails" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  const heights = await rows.evaluateAll((all) => all.slice(1).map((row) => row.getBoundingClientRect().height));
  expect(Math.abs((heights[0] ?? 0) - (heights[1] ?? Infinity))).toBeLessThanOrEqual(1);
});

test("a phone shows records before filters, which a button unfolds", async ({ page, world }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const key = await world.inferenceKey();
  await page.goto("/keys");
  const card = page.getByRole("table", { name: "API keys" }).getByRole("row").first();
  expect((await card.boundingBox())?.y).toBeLessThan(360);
  await expect(page.getByRole("button", { name: "Status" })).toBeHidden();
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("dialog", { name: "Status" }).getByRole("option", { name: "Active" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Filters · 1" })).toBeVisible();
  expect(key.hash).not.toBe("");
});
