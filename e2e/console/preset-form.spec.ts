import { createPresetFromResponses, getPreset } from "../../lib/records/presets/contract";
import { createUpstream, unique } from "../world";
import { expect, test } from "./console-test";
import { select } from "./guardrail-page";
import { tabTo } from "./keyboard";

test("a preset is created in the form; JSON shows the same body", async ({ page, api }) => {
  const slug = unique("form");
  await page.goto("/presets/new");
  await page.getByRole("textbox", { name: "Slug" }).fill(slug);
  await page.getByRole("combobox", { name: "Model", exact: true }).fill("sandbox/echo");
  await page.getByRole("textbox", { name: "System prompt" }).fill("Be brief.");
  await page.getByRole("textbox", { name: "Temperature" }).fill("0.25");
  await page.getByRole("textbox", { name: "Max output tokens" }).fill("300");
  await select(page, page, "Reasoning effort", "low");
  await page.getByRole("button", { name: "Provider preferences" }).click();
  await select(page, page, "Sort providers by", "price");
  await select(page, page, "Zero data retention", "Yes");
  await select(page, page, "Format", "JSON object");
  await page.getByRole("radio", { name: "JSON", exact: true }).click();
  await expect(page).toHaveURL(/editor=json/);
  await expect(page.getByRole("textbox", { name: "Request body" })).toContainText('"max_output_tokens": 300');
  await page.getByRole("radio", { name: "Form", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Temperature" })).toHaveValue("0.25");
  await page.getByRole("button", { name: "Create preset" }).click();
  await expect(page.getByRole("heading", { level: 1, name: slug })).toBeVisible();
  expect((await api.call(getPreset, { params: { slug } })).data.designated_version).toMatchObject({
    config: {
      model: "sandbox/echo",
      temperature: 0.25,
      max_output_tokens: 300,
      reasoning: { effort: "low" },
      provider: { sort: "price", zdr: true },
      text: { format: { type: "json_object" } },
    },
    system_prompt: "Be brief.",
  });
});

test("fields without a control survive an edit in the form, and a mistake is shown at its field", async ({
  page,
  api,
}) => {
  const slug = unique("kept");
  const config = {
    model: "sandbox/echo",
    provider: { only: ["sandbox"], max_price: { prompt: "1" } },
    plugins: [{ id: "web" }],
    tools: [{ type: "function", name: "look", parameters: { type: "object" }, strict: null }],
  };
  await api.call(createPresetFromResponses, { params: { slug }, body: config });
  const before = (await api.call(getPreset, { params: { slug } })).data.designated_version.config;
  await page.goto(`/presets/new?from=${slug}`);
  await expect(page.getByRole("button", { name: "Tools" })).toHaveAccessibleDescription("Tools: 1");
  await page.getByRole("button", { name: "Other fields" }).click();
  await expect(page.getByRole("textbox", { name: "Other fields" })).toContainText('"max_price"');
  const temperature = page.getByRole("textbox", { name: "Temperature" });
  await temperature.fill("warm");
  await expect(temperature).toHaveAccessibleDescription(/number/);
  await temperature.fill("1.5");
  await expect(temperature).toHaveAccessibleDescription("");
  await page.getByRole("button", { name: "Create version" }).click();
  await expect(page.getByText(`Version 2 of “${slug}” is now live`, { exact: true })).toBeVisible();
  const { data } = await api.call(getPreset, { params: { slug } });
  expect(data.designated_version.config).toEqual({ ...before, temperature: 1.5 });
});

test("a draft is saved without going live, edited into another one, and made live from the list", async ({
  page,
  api,
}) => {
  const slug = unique("draft");
  await api.call(createPresetFromResponses, { params: { slug }, body: { model: "sandbox/echo" } });
  const live = async () => (await api.call(getPreset, { params: { slug } })).data.designated_version;
  await page.goto(`/presets/new?from=${slug}`);
  await page.getByRole("textbox", { name: "Top P" }).fill("0.5");
  await page.getByRole("switch", { name: "Make live" }).click();
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText(`Version 2 of “${slug}” created. Version 1 stays live`)).toBeVisible();
  await page.getByRole("link", { name: "New version based on version 2" }).click();
  await expect(page.getByRole("textbox", { name: "Top P" })).toHaveValue("0.5");
  await page.getByRole("textbox", { name: "Top K" }).fill("40");
  await expect(page.getByRole("switch", { name: "Make live" })).not.toBeChecked();
  await page.getByRole("button", { name: "Save draft" }).click();
  expect((await live()).version).toBe(1);
  await page.getByRole("button", { name: "Make version 3 live", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Make version 3 live" }).click();
  await expect.poll(async () => (await live()).config).toEqual({ model: "sandbox/echo", top_p: 0.5, top_k: 40 });
});

test("a Chat Completions body is converted on request; keyboard alone reaches every field", async ({ page }) => {
  await page.goto("/presets/new?editor=json");
  const messages = [
    { role: "system", content: "Be kind." },
    { role: "user", content: "hi" },
  ];
  await page
    .getByRole("textbox", { name: "Request body" })
    .fill(JSON.stringify({ model: "sandbox/echo", messages, max_tokens: 5 }));
  await page.getByRole("radio", { name: "Form", exact: true }).click();
  await page.getByRole("button", { name: "Convert to Responses" }).click();
  await expect(page.getByRole("textbox", { name: "System prompt" })).toHaveValue("Be kind.");
  await tabTo(page, page.getByRole("textbox", { name: "Max output tokens" }));
  await expect(page.getByRole("textbox", { name: "Max output tokens" })).toHaveValue("5");
  await tabTo(page, page.getByRole("combobox", { name: "Format" }));
  await tabTo(page, page.getByRole("button", { name: "Other fields" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("textbox", { name: "Other fields" }));
});

test("rare parameters are closed at first and say what is set; a mistake opens them", async ({ page, api }) => {
  const slug = unique("rare");
  const body = { model: "sandbox/echo", service_tier: "flex" } as const;
  await api.call(createPresetFromResponses, { params: { slug }, body });
  await page.goto(`/presets/new?from=${slug}`);
  const more = page.getByRole("button", { name: "More parameters" });
  await expect(more).toHaveAccessibleDescription("Service tier: flex");
  await expect(more).toHaveAttribute("aria-expanded", "false");
  await more.press("Enter");
  await select(page, page, "Truncation", "auto");
  await page.getByRole("textbox", { name: "Top log probabilities" }).fill("many");
  await expect(page.getByRole("textbox", { name: "Top log probabilities" })).toHaveAccessibleDescription(/number/);
  await page.reload();
  await page.getByRole("radio", { name: "JSON", exact: true }).click();
  await page.getByRole("textbox", { name: "Request body" }).fill('{"model":"sandbox/echo","top_logprobs":"many"}');
  await page.getByRole("radio", { name: "Form", exact: true }).click();
  await expect(more).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("region", { name: "More parameters" }).getByText("1 error")).toBeVisible();
});

test("a wildcard among the fallbacks of a preset is shown with the models it expands to", async ({ page, api }) => {
  const { provider, model } = await createUpstream(api, "http://127.0.0.1:9/v1");
  const slug = unique("wildcard");
  const body = { model: "sandbox/echo", models: [`${provider}/*`] };
  await api.call(createPresetFromResponses, { params: { slug }, body });
  await page.goto(`/presets/new?from=${slug}`);
  await expect(page.getByRole("combobox", { name: "Fallback models" })).toHaveAccessibleDescription(
    `${provider}/*: ${model}`,
  );
});
