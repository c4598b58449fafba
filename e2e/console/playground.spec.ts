import { listAuditEvents } from "../../lib/platform/audit/contract";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { getGeneration } from "../../lib/records/generations/contract";
import { createKey } from "../../lib/records/keys/contract";
import { getPreset } from "../../lib/records/presets/contract";
import { listPolicyTests } from "../../lib/features/policy-tests/contract";
import type { Api } from "../api-client";
import { unique } from "../world";
import { createPerson, expect, scrollWithPromises, signIn, test } from "./console-test";
import { act, ask } from "./generation-log";
import { createPreset } from "./preset-world";

const CARD = "Charge 4242 4242 4242 4242";

async function newKey(api: Api) {
  const { data } = await api.call(createKey, { body: { name: unique("Play") } });
  return data;
}

async function cardGuardrail(api: Api, keyHashes: string[] = []) {
  const { data } = await api.call(createGuardrail, {
    body: { name: unique("Cards"), content_filter_builtins: [{ slug: "credit-card", action: "block" }] },
  });
  if (keyHashes.length > 0)
    await api.call(bulkAssignKeys, { params: { id: data.id }, body: { key_hashes: keyHashes } });
  return data;
}

test("a chat is streamed without a key to paste, sent by keyboard, and recorded under the key @journey", async ({
  page,
  api,
}) => {
  const key = await newKey(api);
  await page.goto(`/playground?key=${key.hash}&model=sandbox/echo`);
  await expect(page.getByRole("combobox", { name: "Key" })).toHaveValue(new RegExp(`^${key.name}`));
  await page.getByRole("textbox", { name: "System prompt" }).fill("Be kind.");
  await page.getByRole("textbox", { name: "Message" }).fill("Hello big world");
  await page.keyboard.press("ControlOrMeta+Enter");
  const thread = page.getByRole("region", { name: "Conversation with sandbox/echo" });
  await expect(thread.getByRole("group", { name: "Answer" })).toContainText("You said: Hello big world");
  await expect(page.locator("body > div[aria-live=polite]")).toContainText("Answer from sandbox/echo");
  const record = thread.getByRole("region", { name: "Decision record" });
  await expect(record).toContainText("Succeeded");
  await expect(record).toContainText(/Time to first token.*Duration/);
  const link = await record.getByRole("link", { name: "Open generation" }).getAttribute("href");
  const { data } = await api.call(getGeneration, { query: { id: link?.split("/").at(-1) ?? "" } });
  expect(data).toMatchObject({ key_hash: key.hash, streamed: true, app_title: "Signalbox Playground" });
  expect(data.sent_by_user_id).not.toBeNull();
  const audited = await api.call(listAuditEvents, { query: { target_id: key.id } });
  expect(audited.data.map(({ action }) => action)).toContain("key.use");

  await test.step("the message is edited, which drops what followed", async () => {
    await page.getByRole("textbox", { name: "Message" }).fill("Second");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(thread.getByText("You said: Second")).toBeVisible();
    const edit = thread.getByRole("button", { name: "Edit message" }).first();
    await edit.press("Enter");
    await expect(thread.getByRole("textbox", { name: "Edited message" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(edit).toBeFocused();
    await page.keyboard.press("Enter");
    await thread.getByRole("textbox", { name: "Edited message" }).fill("Other words");
    await thread.getByRole("button", { name: "Send again" }).press("Enter");
    await expect(edit).toBeFocused();
    await expect(thread.getByText("You said: Other words")).toBeVisible();
    await expect(thread.getByText("You said: Second")).toHaveCount(0);
    await thread.getByRole("button", { name: "Try again" }).click();
    await expect(thread.getByText("You said: Other words")).toBeVisible();
  });
});

test("a playground with a conversation can be left", async ({ page, api }) => {
  await scrollWithPromises(page);
  const key = await newKey(api);
  await page.goto(`/playground?key=${key.hash}&model=sandbox/echo`);
  await page.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("You said: Hello", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Presets", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Presets", level: 1 })).toBeVisible();
});

test("a blocked request shows why, and becomes a policy test", async ({ page, api }) => {
  const key = await newKey(api);
  const guardrail = await cardGuardrail(api, [key.hash]);
  await page.goto(`/playground?key=${key.hash}&model=sandbox/echo`);
  await page.getByRole("textbox", { name: "Message" }).fill(CARD);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const record = page.getByRole("region", { name: "Decision record" });
  await expect(record).toContainText("Blocked");
  await expect(record).toContainText(`Blocked by guardrail “${guardrail.name}” (key)`);
  await record.getByRole("button", { name: "Save as policy test…" }).click();
  const dialog = page.getByRole("dialog", { name: "New policy test" });
  await expect(dialog.getByRole("textbox", { name: "Prompt" })).toHaveValue(CARD);
  await expect(dialog.getByRole("combobox", { name: "Expected outcome" })).toContainText("Blocked");
  await expect(dialog).toContainText(`Runs on every edit of “${guardrail.name}”`);
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue(/^Blocked by Payment card numbers: “/);
  await dialog.getByRole("textbox", { name: "Name" }).fill("Cards are blocked");
  await dialog.getByRole("button", { name: "Add test" }).click();
  await expect(page.getByText("Test “Cards are blocked” saved")).toBeVisible();
  const tests = await api.call(listPolicyTests, { params: { id: guardrail.id } });
  expect(tests.data).toMatchObject([{ name: "Cards are blocked", expected: { outcome: "blocked" } }]);
});

test("a guardrail is tried before it is assigned", async ({ page, api }) => {
  const [key, guardrail] = await Promise.all([newKey(api), cardGuardrail(api)]);
  await page.goto(`/playground?key=${key.hash}&model=sandbox/echo&guardrail=${guardrail.id}`);
  await expect(page.getByRole("combobox", { name: "Additional guardrail" })).toHaveValue(guardrail.name);
  await page.getByRole("textbox", { name: "Message" }).fill(CARD);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("region", { name: "Decision record" })).toContainText(guardrail.name);
});

test("an unsaved guardrail is tried from the editor, in addition and without being stored", async ({ page, api }) => {
  const key = await newKey(api);
  const name = unique("Unsaved");
  await page.goto("/guardrails/new?tool=try");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await page.getByRole("radiogroup", { name: "Payment card numbers" }).getByRole("radio", { name: "Block" }).click();
  const opened = page.context().waitForEvent("page");
  await page.getByRole("button", { name: "Try in playground" }).click();
  const playground = await opened;
  await expect(playground.getByText(`Draft of “${name}” applies`)).toBeVisible();
  await playground.getByRole("combobox", { name: "Key" }).click();
  await playground.getByRole("option", { name: key.name }).click();
  await playground.getByRole("combobox", { name: "Model slug" }).fill("sandbox/echo");
  await playground.getByRole("textbox", { name: "Message" }).fill(CARD);
  await playground.getByRole("button", { name: "Send", exact: true }).click();
  const record = playground.getByRole("region", { name: "Decision record" });
  await expect(record).toContainText(`Blocked by the unsaved guardrail “${name}”`);
  const link = await record.getByRole("link", { name: "Open generation" }).getAttribute("href");
  const { data } = await api.call(getGeneration, { query: { id: link?.split("/").at(-1) ?? "" } });
  expect(data).toMatchObject({ draft_applied: true, decisions: [{ scope: "draft", guardrail_id: null }] });
  await playground.getByRole("button", { name: "Remove draft" }).click();
  await playground.getByRole("textbox", { name: "Message" }).fill(CARD);
  await playground.getByRole("button", { name: "Send", exact: true }).click();
  await expect(record.last()).toContainText("Succeeded");
});

test("a model and a preset's version answer side by side", async ({ page, api }) => {
  const [key, slug] = await Promise.all([newKey(api), createPreset(api)]);
  await page.goto(`/playground?key=${key.hash}&model=sandbox/echo`);
  await page.getByRole("button", { name: "Compare side by side" }).click();
  await page.getByRole("group", { name: "Model B" }).getByRole("radio", { name: "Preset" }).click();
  await page.getByRole("combobox", { name: "Model B preset", exact: true }).click();
  await page.getByRole("option", { name: slug, exact: true }).click();
  await page.getByRole("combobox", { name: "Model B preset version" }).click();
  await page.getByRole("option", { name: "v1", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`compare=.*${slug}@1`));
  await page.getByRole("textbox", { name: "Message" }).fill("Compare this");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  for (const model of ["sandbox/echo", `@preset/${slug}@1`]) {
    const thread = page.getByRole("region", { name: `Conversation with ${model}` });
    await expect(thread.getByRole("group", { name: "Answer" })).toContainText("Compare this");
    await expect(thread.getByRole("region", { name: "Decision record" })).toContainText("Succeeded");
  }
  await page.getByRole("button", { name: "Copy as code" }).click();
  await page.getByRole("menuitem", { name: "B: @preset" }).click();
  const code = page.getByRole("dialog", { name: "Copy as code" });
  await expect(code.getByRole("group", { name: "curl code" })).toContainText(`@preset/${slug}@1`);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save as preset…" }).click();
  await page.getByRole("menuitem", { name: "A: sandbox/echo" }).click();
  await expect(page.getByRole("dialog", { name: "Save as preset" })).toBeVisible();
});

test("a tool's call is shown, its result typed in, and the settings become code and a preset", async ({
  page,
  api,
}) => {
  const key = await newKey(api);
  await page.goto(`/playground?key=${key.hash}&model=sandbox/echo`);
  await page.getByText("Parameters: default").click();
  await page.getByRole("textbox", { name: "Temperature" }).fill("9");
  await expect(page.getByRole("textbox", { name: "Temperature" })).toHaveAccessibleDescription(/from 0 to 2/);
  await expect(page.getByText("Correct the settings to send requests.")).toBeVisible();
  await page.getByRole("textbox", { name: "Temperature" }).fill("0.5");
  await page.getByText("Tools", { exact: true }).click();
  await page.getByRole("button", { name: "Insert example" }).first().click();
  await page.getByRole("textbox", { name: "Message" }).fill("Use get_weather for Rome");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const result = page.getByRole("textbox", { name: "Result of get_weather" });
  await result.fill('{"temperature": 21}');
  await page.getByRole("button", { name: "Send results" }).click();
  await expect(page.getByRole("group", { name: "Result of get_weather" })).toContainText("21");
  await expect(page.getByRole("region", { name: "Decision record" })).toHaveCount(2);

  await page.getByRole("button", { name: "Copy as code" }).click();
  const code = page.getByRole("dialog", { name: "Copy as code" });
  await expect(code.getByRole("group", { name: "curl code" })).toContainText('"get_weather"');
  await code.getByRole("tab", { name: "Python" }).click();
  await expect(code.getByRole("group", { name: "Python code" })).toContainText("temperature=0.5");
  await page.keyboard.press("Escape");

  const slug = unique("weather");
  await page.getByRole("button", { name: "Save as preset…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as preset" });
  await dialog.getByRole("textbox", { name: "Slug" }).fill(slug);
  await expect(dialog.getByText(/Available/)).toBeVisible();
  await dialog.getByRole("button", { name: "Create preset" }).click();
  await expect(page.getByText(`Version 1 of “${slug}” saved`)).toBeVisible();
  const { data } = await api.call(getPreset, { params: { slug } });
  expect(data.designated_version.config).toMatchObject({
    model: "sandbox/echo",
    temperature: 0.5,
    tools: [{ type: "function", name: "get_weather" }],
  });
});

test("a member uses their own keys only; without one, the page says how to get one", async ({
  browser,
  api,
  serverUrl,
}) => {
  const [other, person] = [await newKey(api), await createPerson(api)];
  const context = await browser.newContext({ storageState: await signIn(serverUrl, person), baseURL: serverUrl });
  const page = await context.newPage();
  await page.goto("/playground");
  await expect(page.getByText("Ask an admin of your organization for an inference key.")).toBeVisible();
  await page.goto(`/playground?key=${other.hash}`);
  await expect(page.getByRole("alert").first()).toContainText("Resource not found");
  await expect(page.getByText("Choose a key to send requests.")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Additional guardrail" })).toHaveCount(0);
  await context.close();
});

test("the key of the last request is preselected, and the conversation survives a reload", async ({ page, api }) => {
  const [key] = [await newKey(api), await newKey(api)];
  await page.goto(`/playground?key=${key.hash}&model=sandbox/echo`);
  await expect(page.getByRole("button", { name: "Send", exact: true })).toHaveAccessibleDescription(
    /Write a message to send it/,
  );
  await page.getByRole("textbox", { name: "System prompt" }).fill("Be brief");
  await page.getByRole("textbox", { name: "Message" }).fill("Hello again");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const record = page.getByRole("region", { name: "Decision record" });
  await expect(record).toContainText("Succeeded");
  await page.goto("/playground?model=sandbox/echo");
  await expect(page.getByRole("combobox", { name: "Key" })).toHaveValue(new RegExp(`^${key.name}`));
  await expect(page.getByText("You said: Hello again")).toBeVisible();
  await expect(record).toContainText("Succeeded");
  await expect(page.getByRole("textbox", { name: "System prompt" })).toHaveValue("Be brief");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.reload();
  await expect(page.getByText("Send a first message")).toBeVisible();
});

test("a conversation with a blocked request isn't stored, and the browser asks before a reload loses it", async ({
  page,
  api,
}) => {
  const key = await newKey(api);
  await cardGuardrail(api, [key.hash]);
  await page.goto(`/playground?key=${key.hash}&model=sandbox/echo`);
  await page.getByRole("textbox", { name: "Message" }).fill(CARD);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("region", { name: "Decision record" })).toContainText("Blocked");
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
  expect(kept).not.toContain("4242");
  await page.getByRole("link", { name: "Presets", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Presets", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByText(CARD)).toBeVisible();
  const asked = page.waitForEvent("dialog");
  const reloaded = page.reload();
  await (await asked).accept();
  await reloaded;
  await expect(page.getByText("Send a first message")).toBeVisible();
});

test("a stored request is opened in the playground, changed, and sent again with its key", async ({
  page,
  api,
  world,
}) => {
  const key = await world.inferenceKey();
  const id = await ask(api, key, { instructions: "Answer in one word.", input: "Name a colour" });
  await page.goto(`/generations/${id}`);
  await act(page, "Open in playground");
  await expect(page.getByRole("heading", { level: 1, name: "Playground" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "System prompt" })).toHaveValue("Answer in one word.");
  await expect(page.getByText("Name a colour").first()).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Key", exact: true })).toHaveValue(new RegExp(key.name));
  await page.getByRole("textbox", { name: "Message" }).fill("Another one");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByText("Another one").nth(1)).toBeVisible();

  // A conversation is not replaced without asking.
  await page.goBack();
  await act(page, "Open in playground");
  const question = page.getByRole("alertdialog", { name: "Replace the conversation in the playground?" });
  await question.getByRole("button", { name: "Replace" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Playground" })).toBeVisible();
  await expect(page.getByText("Name a colour").first()).toBeVisible();
  await expect(page.getByRole("main").getByText("Another one")).toHaveCount(0);
});
