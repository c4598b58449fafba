import type { Page } from "@playwright/test";
import { createPresetFromResponses, getPreset } from "../../lib/records/presets/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { createPreset } from "./preset-world";

const body = (page: Page) => page.getByRole("textbox", { name: "Request body" });
const listed = (page: Page, name: string) => page.getByRole("list", { name }).getByRole("listitem");

test("a pasted Responses body shows stored and ignored fields before saving @journey", async ({ page, api }) => {
  const slug = unique("pasted");
  await page.goto("/presets");
  await page.getByRole("link", { name: "New preset" }).first().click();
  await page.getByRole("textbox", { name: "Slug" }).fill(slug);
  await expect(page.getByText(`Available. Use it in requests as @preset/${slug}.`)).toBeVisible();
  await page.getByRole("radio", { name: "JSON", exact: true }).click();
  await body(page).fill(
    JSON.stringify({ model: "sandbox/echo", instructions: "Be brief.", temperature: null, input: "hi", colour: "red" }),
  );
  await expect(listed(page, "Stored fields")).toHaveText(["model", "instructions"]);
  await expect(listed(page, "Ignored fields")).toHaveText([
    /^temperature null has nothing/,
    /^input applies to a single request/,
    /^colour unknown field/,
  ]);
  await api.refuse(getPreset, 404, { params: { slug } });

  await page.getByRole("textbox", { name: "Message" }).fill("The first one");
  await page.getByRole("button", { name: "Create preset" }).click();
  await expect(page.getByText(`Version 1 of “${slug}” is now live`, { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: slug })).toBeVisible();
  await expect(page.getByRole("group", { name: "System prompt text" })).toHaveText("Be brief.");
  const { data } = await api.call(getPreset, { params: { slug } });
  expect(data.designated_version).toMatchObject({
    config: { model: "sandbox/echo" },
    system_prompt: "Be brief.",
    message: "The first one",
  });
});

test("a Chat Completions body is detected; the format can be changed", async ({ page, api }) => {
  const slug = unique("chat");
  await page.goto("/presets/new?editor=json");
  await page.getByRole("textbox", { name: "Slug" }).fill(slug);
  const messages = [
    { role: "system", content: "Be kind." },
    { role: "user", content: "hi" },
  ];
  await body(page).fill(JSON.stringify({ model: "sandbox/echo", messages, max_tokens: 5 }));
  const format = page.getByRole("radiogroup", { name: "Format" });
  await expect(format.getByRole("radio", { name: "Chat Completions" })).toBeChecked();
  await expect(listed(page, "Stored fields")).toHaveText(["model", "messages", "max_tokens"]);
  await expect(listed(page, "Ignored fields")).toHaveText([/^messages 1 message is not stored/]);

  await format.getByRole("radio", { name: "Responses" }).click();
  await expect(listed(page, "Stored fields")).toHaveText(["model"]);
  await expect(listed(page, "Ignored fields").first()).toContainText(
    "is a field of Chat Completions and Messages, not of Responses",
  );
  await format.getByRole("radio", { name: "Chat Completions" }).click();
  await expect(listed(page, "Stored fields")).toHaveCount(3);
  await page.getByRole("button", { name: "Create preset" }).click();
  await expect(page.getByRole("heading", { level: 1, name: slug })).toBeVisible();
  expect((await api.call(getPreset, { params: { slug } })).data.designated_version).toMatchObject({
    config: { max_output_tokens: 5 },
    system_prompt: "Be kind.",
  });
});

test("a Messages body is detected, and parts of its fields that aren't stored are named", async ({ page }) => {
  await page.goto("/presets/new?editor=json");
  const request = {
    model: "sandbox/echo",
    max_tokens: 5,
    system: "Be kind.",
    messages: [{ role: "user", content: "hi" }],
    thinking: { type: "adaptive", display: "omitted" },
  };
  await body(page).fill(JSON.stringify(request));
  await expect(page.getByRole("radio", { name: "Messages" })).toBeChecked();
  await expect(listed(page, "Stored fields")).toHaveText(["model", "system", "thinking", "max_tokens"]);
  await expect(listed(page, "Ignored fields")).toHaveText([
    /^messages applies to a single request/,
    /^thinking\.display isn't supported/,
  ]);
});

test("an error is shown with its JSON path in the editor, and input is kept", async ({ page, api }) => {
  const slug = unique("wrong");
  const text = '{"model": "sandbox/echo", "plugins": [{"id": "fusion", "max_tool_calls": 17}]}';
  await page.goto("/presets/new?editor=json");
  await page.getByRole("textbox", { name: "Slug" }).fill(slug);
  await body(page).fill('{"model": ');
  await expect(body(page)).toHaveAccessibleDescription(/^Invalid JSON/);
  await expect(page.getByRole("button", { name: "Create preset" })).toBeDisabled();
  await body(page).fill(text);
  await expect(body(page)).toHaveAccessibleDescription(/^plugins\.0\.max_tool_calls: /);
  await expect(body(page)).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("button", { name: "Create preset" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "plugins.0.max_tool_calls" })).toBeVisible();
  await expect(body(page)).toHaveText(text);
  await api.refuse(getPreset, 404, { params: { slug } });
});

test("a slug is validated and checked for availability while typing", async ({ page, api }) => {
  const taken = await createPreset(api);
  await page.goto("/presets/new?editor=json");
  const slug = page.getByRole("textbox", { name: "Slug" });
  await slug.fill("Not A Slug");
  await expect(slug).toHaveAccessibleDescription(/must consist of lowercase letters and digits/);
  await expect(slug).toHaveAttribute("aria-invalid", "true");
  await slug.fill(taken);
  await expect(page.getByText(`Already exists. Creates version 3 of ${taken}.`)).toBeVisible();
  await expect(slug).toHaveAttribute("aria-invalid", "false");
});

test("a preset with the slug `new` has its own page", async ({ page, api, world }) => {
  await api.call(createPresetFromResponses, {
    params: { slug: "new" },
    query: { workspace_id: world.workspaceId },
    body: { model: "sandbox/echo" },
  });
  await page.goto(`/presets?workspace=${world.workspaceId}`);
  await page.getByRole("table", { name: "Presets" }).getByRole("link", { name: "new", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "new" })).toBeVisible();
  await expect(page.getByRole("tab", { name: "Configuration" })).toBeVisible();
  await expect(page).toHaveURL(`/presets/@new?workspace=${world.workspaceId}`);
});

test("leaving with a pasted body asks first", async ({ page }) => {
  await page.goto("/presets/new?editor=json");
  await body(page).fill('{"model": "sandbox/echo"}');
  await page.getByRole("link", { name: "Cancel" }).click();
  await page
    .getByRole("alertdialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Keep editing" })
    .click();
  await expect(body(page)).toHaveText('{"model": "sandbox/echo"}');
});
