import { createProvider, getProvider, type CreateProviderBody } from "../../lib/records/providers/contract";
import type { Api } from "../api-client";
import { createUpstream, unique } from "../world";
import { expect, test } from "./console-test";

const SECRET = "sk-canary-0123456789";

async function stored(api: Api, fields: Partial<CreateProviderBody> = {}) {
  const slug = unique("edit");
  return (
    await api.call(createProvider, {
      body: {
        slug,
        name: slug,
        base_url: "http://127.0.0.1:9/v1",
        api_key: SECRET,
        headers: { "x-tenant": SECRET },
        ...fields,
      },
    })
  ).data;
}

test("secrets are never shown and must be re-entered for another server", async ({ page, api }) => {
  const { slug } = await stored(api);
  await page.goto(`/providers/${slug}`);
  const form = page.getByRole("form", { name: "Settings" });
  await expect(form.getByRole("group", { name: "API key" })).toContainText("Stored (hidden)");
  await expect(form.getByRole("group", { name: "Extra headers" })).toContainText("x-tenant");
  expect(await page.content()).not.toContain(SECRET);

  await form.getByRole("textbox", { name: "Base URL" }).fill("http://127.0.0.2:9/v1");
  await expect(form).toContainText("The base URL points to a different server");
  await form.getByRole("button", { name: "Save changes" }).click();
  await expect(form.getByRole("group", { name: "API key" })).toContainText("must be sent again");
  await expect(form.getByRole("group", { name: "Extra headers" })).toContainText("must be sent again");
  await expect(form.getByRole("textbox", { name: "Base URL" }), "input is kept").toHaveValue("http://127.0.0.2:9/v1");

  await form.getByRole("button", { name: "Replace API key" }).click();
  await form.getByLabel("API key", { exact: true }).fill("sk-another-0123456789");
  await form.getByRole("button", { name: "Remove stored headers" }).click();
  await form.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText(`“${slug}” saved`)).toBeVisible();
  expect((await api.call(getProvider, { params: { slug } })).data).toMatchObject({
    base_url: "http://127.0.0.2:9/v1",
    has_api_key: true,
    header_names: [],
  });
  await expect(page.getByRole("region", { name: "Connection" })).toContainText("Not connected");
});

test("only changed fields are sent", async ({ page, api }) => {
  const { slug } = await stored(api);
  await page.goto(`/providers/${slug}`);
  const form = page.getByRole("form", { name: "Settings" });
  await form.getByRole("switch", { name: "Zero data retention" }).click();
  const request = page.waitForRequest((sent) => sent.method() === "PATCH");
  await form.getByRole("button", { name: "Save changes" }).click();
  expect((await request).postDataJSON()).toEqual({ zdr: true });
  await expect(page.getByText("Zero retention")).toBeVisible();
});

test("the kind can be changed, after a confirmation of what happens to credentials", async ({ page, api }) => {
  const { slug } = await stored(api, { headers: null });
  await page.goto(`/providers/${slug}`);
  const form = page.getByRole("form", { name: "Settings" });
  const choose = async (kind: string) => {
    await form.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: kind }).click();
  };
  const confirm = async (text: string) => {
    await form.getByRole("button", { name: "Save changes" }).click();
    const question = page.getByRole("alertdialog", { name: /^Change the kind to/ });
    await expect(question).toContainText(text);
    await question.getByRole("button", { name: "Change kind" }).click();
  };
  await choose("Amazon Bedrock");
  await form.getByRole("textbox", { name: "Region" }).fill("eu-west-1");
  await form.getByLabel("Access key ID").fill("AKIAEXAMPLE");
  await form.getByLabel("Secret access key").fill(SECRET);
  await confirm("The stored API key can't be restored");
  await expect(page.getByText(`“${slug}” saved`)).toBeVisible();
  const { data } = await api.call(getProvider, { params: { slug } });
  expect(data).toMatchObject({
    kind: "bedrock",
    protocol: "converse",
    settings: { region: "eu-west-1" },
    has_api_key: false,
    credential_names: ["access_key_id", "secret_access_key"],
  });
  await choose("Azure OpenAI");
  await confirm("The stored credentials will be deleted");
  await expect(form.getByRole("textbox", { name: "API version" })).toBeVisible();
  await expect
    .poll(async () => (await api.call(getProvider, { params: { slug } })).data)
    .toMatchObject({ kind: "azure", protocol: "chat_completions", settings: {}, credential_names: [] });
});

test("deleting requires typing and names the models without another provider", async ({ page, api }) => {
  const { provider, model } = await createUpstream(api, "http://127.0.0.1:9/v1");
  await page.goto(`/providers/${provider}`);
  await page.getByRole("button", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog", { name: `Delete “${provider}”?` });
  await expect(question).toContainText("1 has no other provider");
  await expect(question).toContainText(model);
  await expect(question.getByRole("button", { name: "Delete provider" })).toBeDisabled();
  await question.getByRole("textbox").fill(provider);
  await question.getByRole("button", { name: "Delete provider" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Providers & models" })).toBeVisible();
  await api.refuse(getProvider, 404, { params: { slug: provider } });
});
