import { createKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { createPerson, expect, signIn, test } from "./console-test";
import { createPreset } from "./preset-world";

test("a policy check shows candidates and the merged request without sending it", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}?tab=try`);
  await page.getByRole("textbox", { name: "Prompt" }).fill("What is a preset?");
  await page.getByRole("button", { name: "Check policy" }).click();
  const verdict = page.getByRole("region", { name: "Policy check" });
  await expect(verdict).toContainText("Allowed");
  await expect(verdict.getByRole("listitem").first()).toContainText("sandbox/reasoner");
  const merged = verdict.getByRole("group", { name: "Merged request" });
  await expect(merged).toContainText("Take your time.");
  await expect(merged).toContainText("What is a preset?");
});

test("a version is tried in the playground, without a key to paste", async ({ page, api }) => {
  const slug = await createPreset(api);
  const { data: key } = await api.call(createKey, { body: { name: unique("Key") } });
  await page.goto(`/presets/${slug}?tab=try`);
  await page.getByRole("combobox", { name: "Version" }).click();
  await page.getByRole("option", { name: "Version 1", exact: true }).click();
  await page.getByRole("link", { name: "Open in playground" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Playground" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Model preset version" })).toHaveText("v1");
  const keys = page.getByRole("combobox", { name: "Key", exact: true });
  await keys.fill(key.name);
  await page.getByRole("option", { name: key.name }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("Echo this back");
  await page.keyboard.press("ControlOrMeta+Enter");
  const record = page.getByRole("region", { name: "Decision record" });
  await expect(record).toContainText("Succeeded");
  await expect(page.getByText("Echo this back").nth(1)).toBeVisible();
});

test("snippets reference the preset in each way, optionally pinned", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}?tab=use`);
  const code = (title: string) => page.getByRole("group", { name: `${title} example` });
  await expect(code("curl")).toContainText(`"model":"@preset/${slug}"`);
  await page.getByRole("radio", { name: "Preset field" }).click();
  await page.getByRole("tab", { name: "Python" }).click();
  await expect(code("Python")).toContainText(`extra_body={"preset": "${slug}"}`);
  await page.getByRole("combobox", { name: "Target version" }).click();
  await page.getByRole("option", { name: "Version 2 (pinned)" }).click();
  await page.getByRole("radio", { name: "Model suffix" }).click();
  await page.getByRole("tab", { name: "TypeScript" }).click();
  await expect(code("TypeScript")).toContainText(`model: "sandbox/reasoner@preset/${slug}@2"`);
  await expect(page).toHaveURL(/typescript/);
  await page.reload();
  await expect(code("TypeScript"), "the selection is kept in the URL").toContainText(`@preset/${slug}@2`);
});

test("a member sees a preset and its code, without edit actions", async ({ browser, api, serverUrl }) => {
  const slug = await createPreset(api);
  const context = await browser.newContext({
    storageState: await signIn(serverUrl, await createPerson(api)),
    baseURL: serverUrl,
  });
  const page = await context.newPage();
  await page.goto(`/presets/${slug}?tab=versions`);
  await expect(page.getByRole("table", { name: "Versions" })).toContainText("Version 1");
  for (const name of ["Edit", "Status", "Make version 1 live"])
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "New version" })).toHaveCount(0);
  await page.goto("/presets/new");
  await expect(page.getByRole("heading", { name: "You don’t have access to creating presets" })).toBeVisible();
  await context.close();
});
