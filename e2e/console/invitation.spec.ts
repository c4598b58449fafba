import type { Page } from "@playwright/test";
import { createResponse } from "../../lib/inference/contract";
import { createMember } from "../../lib/members/contract";
import { createPresetFromResponses } from "../../lib/presets/contract";
import type { Api } from "../api-client";
import { unique } from "../world";
import { expect, SIGNED_OUT, test } from "./console-test";

test.use({ storageState: SIGNED_OUT });

async function invite(api: Api): Promise<{ userId: string; url: string }> {
  const { data, invite_url } = await api.call(createMember, { body: { email: `${unique("invited")}@example.com`, role: "org:member" } });
  return { userId: data.id, url: invite_url ?? "" };
}

async function accept(page: Page, password: string) {
  await page.getByRole("textbox", { name: "First name" }).fill("Ada");
  await page.getByRole("textbox", { name: "Last name" }).fill("Lovelace");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Accept and sign in" }).click();
}

test("an invitation makes a member, who sees what a member may and nothing else", async ({ page, api, world }) => {
  const { userId, url } = await invite(api);
  const [own, foreign] = await Promise.all([world.inferenceKey({ creator_user_id: userId }), world.inferenceKey()]);
  const body = { model: "sandbox/echo", input: "Hello" };
  const [mine, theirs] = await Promise.all([own, foreign].map(async ({ text }) => api.as(text).call(createResponse, { body })));
  const slug = unique("for-everybody");
  await api.call(createPresetFromResponses, { params: { slug }, body });

  await page.goto(url);
  await expect(page.getByRole("heading", { level: 1, name: "Welcome to Signalbox" })).toBeVisible();
  await accept(page, "correct horse battery");
  await expect(page.getByText("Signed in as Ada Lovelace.")).toBeVisible();

  const destinations = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  await expect(destinations).toHaveText(["Home", "Generations", "Presets", "API keys", "API reference"]);

  await page.goto("/keys");
  const keys = page.getByRole("table", { name: "API keys" });
  await expect(keys.getByRole("row").filter({ hasText: own.name })).toBeVisible();
  await expect(keys.getByText(foreign.name)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "New key" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Actions for/ })).toHaveCount(0);

  await page.goto("/presets");
  await page.getByRole("link", { name: slug, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: slug })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Version 1: settings" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Status" })).toHaveCount(0);

  await page.goto("/generations");
  const generations = page.getByRole("table", { name: "Generations" });
  await expect(generations.getByRole("link", { name: mine?.id })).toBeVisible();
  await expect(generations.getByRole("link", { name: theirs?.id })).toHaveCount(0);
  await page.goto(`/generations/${theirs?.id}`);
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();

  await page.goto("/guardrails");
  await expect(page.getByRole("alert").filter({ hasText: "Your role does not include the guardrails" })).toBeVisible();
});

test("an invitation works once", async ({ page, api }) => {
  const { url } = await invite(api);
  await page.goto(url);
  await accept(page, "correct horse battery");
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  await page.goto(url);
  await accept(page, "another password");
  await expect(page.getByRole("alert").filter({ hasText: "This invitation does not work" })).toBeVisible();
});

test("a password that is too short is refused on its field, and the invitation still works", async ({ page, api }) => {
  const { url } = await invite(api);
  await page.goto(url);
  await accept(page, "short");
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription(/at least 8 characters/i);
  await accept(page, "correct horse battery");
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
});
