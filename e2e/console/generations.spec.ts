import type { Page } from "@playwright/test";
import { createResponse } from "../../lib/inference/contract";
import type { Api } from "../api-client";
import { createWorld, type World } from "../world";
import { expect, test } from "./console-test";

/** Sends a request with a new key; the id of the generation that it leaves, whether answered or failed. */
async function generate(api: Api, world: World, body: { model: string; models?: string[]; input: string; instructions?: string }): Promise<string> {
  const { text } = await world.inferenceKey();
  const answer = await api.send(createResponse, { body }, { as: text });
  await answer.text();
  return answer.headers.get("x-generation-id") ?? "";
}

const row = (page: Page, id: string) =>
  page
    .getByRole("table", { name: "Generations" })
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name: id }) });

test("an answered request is found in the list and opens with its conversation and cost", async ({ page, api, world }) => {
  const id = await generate(api, world, { model: "sandbox/echo", instructions: "Be brief.", input: "How are you today?" });
  await page.goto("/generations");
  await expect(row(page, id)).toContainText("Succeeded");
  await row(page, id).getByRole("link").click();

  await expect(page.getByRole("heading", { level: 1, name: "sandbox/echo" })).toBeVisible();
  await expect(page).toHaveURL(`/generations/${id}`);
  const content = page.getByRole("region", { name: "Content" });
  await expect(content.getByRole("group", { name: "system" })).toHaveText("Be brief.");
  await expect(content.getByRole("group", { name: "user" })).toHaveText("How are you today?");
  await expect(content.getByRole("group", { name: "Completion" })).toHaveText("You said: How are you today?");
  const usage = page.getByRole("region", { name: "Usage" });
  await expect(usage).toContainText("6 → 6");
  await expect(usage).toContainText(/Cost\s*\$0\.000012/);
  await expect(page.getByRole("region", { name: "Request" })).toContainText("Sandbox");
});

test("a failed request shows the upstream's own words and the attempts before", async ({ page, api, world }) => {
  const id = await generate(api, world, { model: "sandbox/unavailable", input: "Are you there?" });
  await page.goto("/generations");
  await expect(row(page, id)).toContainText("Failed");
  await row(page, id).getByRole("link").click();
  await expect(page.getByRole("alert").filter({ hasText: "Answered with status" })).toBeVisible();
  const content = page.getByRole("region", { name: "Content" });
  await expect(content.getByRole("group", { name: "Error" })).toContainText("The model is overloaded");
  await expect(content.getByRole("group", { name: "user" })).toHaveText("Are you there?");
  await expect(page.getByRole("region", { name: "Attempts" }).getByRole("listitem")).toContainText([/Sandbox.*503/]);
});

test("a request that another model answered shows both attempts", async ({ page, api, world }) => {
  const id = await generate(api, world, { model: "sandbox/unavailable", models: ["sandbox/echo"], input: "Anybody?" });
  await page.goto(`/generations/${id}`);
  await expect(page.getByRole("heading", { level: 1, name: "sandbox/echo" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Attempts" }).getByRole("listitem")).toContainText([/sandbox\/unavailable.*503/, /sandbox\/echo.*200/]);
  await expect(page.getByRole("group", { name: "Completion" })).toHaveText("You said: Anybody?");
});

test("a generation is looked up by its id; an unknown one is not found", async ({ page, api, world }) => {
  const id = await generate(api, world, { model: "sandbox/reasoner", input: "Think" });
  await page.goto("/generations");
  await page.getByRole("textbox", { name: "Generation id" }).fill(id);
  await page.getByRole("button", { name: "Look up" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "sandbox/reasoner" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Reasoning" })).toContainText("I will repeat them.");

  await page.goto("/generations");
  await page.getByRole("textbox", { name: "Generation id" }).fill("gen-1700000000-00000000000000000000");
  await page.getByRole("textbox", { name: "Generation id" }).press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
});

test("where content is not stored, the page says so", async ({ page, api }) => {
  const silent = await createWorld(api, { content_logging: false });
  const id = await generate(api, silent, { model: "sandbox/echo", input: "Between us" });
  await page.goto(`/generations/${id}`);
  await expect(page.getByRole("region", { name: "Content" })).toContainText("were not stored");
  await expect(page.getByText("Between us")).toHaveCount(0);
});

test("what users and models write is shown as text, never as markup", async ({ page, api, world }) => {
  const markup = `<img src=x onerror="document.title='taken over'"><b>bold</b>`;
  const id = await generate(api, world, { model: "sandbox/echo", input: markup });
  await page.goto(`/generations/${id}`);
  await expect(page.getByRole("group", { name: "user" })).toHaveText(markup);
  await expect(page).not.toHaveTitle("taken over");
});
