import type { Locator, Page } from "@playwright/test";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import type { CreateGuardrailBody } from "../../lib/records/guardrails/contract";
import { createResponse } from "../../lib/gateway/contract";
import type { Api } from "../api-client";
import type { NewKey, World } from "../world";

interface RequestOptions {
  model?: string;
  models?: string[];
  input?: string;
  instructions?: string;
  session_id?: string;
}

/** Sends a request and returns its generation ID, whatever the outcome. */
export async function ask(api: Api, { text }: NewKey, body: RequestOptions = {}): Promise<string> {
  const answer = await api.send(
    createResponse,
    { body: { model: "sandbox/echo", input: "Hello", ...body } },
    { as: text },
  );
  await answer.arrayBuffer();
  return answer.headers.get("x-generation-id") ?? "";
}

/** Creates a key with its own guardrail. */
export async function guardedKey(api: Api, world: World, fields: Partial<CreateGuardrailBody>) {
  const [key, guardrail] = await Promise.all([world.inferenceKey(), world.guardrail(fields)]);
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  return { key, guardrail };
}

export const table = (page: Page): Locator => page.getByRole("table", { name: "Generations" });

export const row = (page: Page, id: string): Locator =>
  table(page)
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name: id }) });

/** The side sheet. */
export const sheet = (page: Page): Locator => page.getByRole("dialog", { name: "Generation" });

export async function act(page: Page, action: string): Promise<void> {
  await page.getByRole("button", { name: "Actions for this generation" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}
