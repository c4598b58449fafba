import type { z } from "zod";
import { deleteGenerationContent, getGenerationContent } from "../../lib/generations/content-contract";
import { getGeneration, listGenerations } from "../../lib/generations/contract";
import { createChatCompletion, createResponse } from "../../lib/inference/contract";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";

async function generate(api: Api, key: string, input: string, fields: { model?: string; session_id?: string } = {}): Promise<string> {
  const answer = await api.as(key).send(createResponse, { body: { model: "sandbox/echo", input, ...fields } });
  await answer.arrayBuffer();
  return answer.headers.get("x-generation-id") ?? "";
}

test("the content is the prompt and the completion, until it is deleted", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  const query = { id: await generate(api, text, "remember this") };
  const { data } = await api.call(getGenerationContent, { query });
  expect(data).toEqual({
    error: null,
    input: { messages: [{ role: "user", content: "remember this" }] },
    output: { completion: "You said: remember this", reasoning: null },
  });
  expect(await api.call(deleteGenerationContent, { query })).toEqual({ deleted: true });
  const { metadata } = await api.refuse(getGenerationContent, 404, { query });
  expect(metadata["reason"]).toMatch(/^content_/);
  expect((await api.call(getGeneration, { query })).data.content_stored).toBe(false);
});

test("a chat's whole history is kept, reasoning apart", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  const messages = [
    { role: "system" as const, content: "Be kind." },
    { role: "user" as const, content: "hello" },
    { role: "assistant" as const, content: "hi" },
    { role: "user" as const, content: "and now?" },
  ];
  const answer = await api.as(text).send(createChatCompletion, { body: { model: "sandbox/reasoner", messages } });
  const { data } = await api.call(getGenerationContent, { query: { id: answer.headers.get("x-generation-id") ?? "" } });
  expect(data.input.messages).toEqual(messages);
  expect(data.output).toMatchObject({ completion: "You said: and now?", reasoning: expect.stringMatching(/.+/) });
});

test("pages by cursor: newest first, none twice, none missing, also while others come", async ({ api, world }) => {
  const { text, hash } = await world.inferenceKey();
  const made: string[] = [];
  for (let index = 0; index < 7; index++) made.push(await generate(api, text, `number ${index}`));
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: z.output<typeof listGenerations.result> = await api.call(listGenerations, { query: { key_hash: hash, limit: "3", cursor } });
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    await generate(api, text, "a newcomer");
  }
  expect(seen).toEqual(made.reverse());
});

test("filters narrow, repeated ones widen", async ({ api, world }) => {
  const { text, hash } = await world.inferenceKey();
  const good = await generate(api, text, "the quick brown fox", { session_id: "s-1" });
  const failed = await generate(api, text, "lazy dog", { model: "sandbox/unavailable" });
  const ids = async (query: string) => {
    const answer = await fetch(`${api.url}/v1/generations?key_hash=${hash}&${query}`, { headers: { authorization: `Bearer ${(await world.managementKey()).text}` } });
    const body: unknown = await answer.json();
    expect(answer.status, JSON.stringify(body)).toBe(200);
    return listGenerations.result.parse(body).data.map(({ id }) => id);
  };
  expect(await ids("")).toEqual([failed, good]);
  expect(await ids("status=succeeded")).toEqual([good]);
  expect(await ids("status=succeeded&status=failed")).toEqual([failed, good]);
  expect(await ids("model=sandbox/echo")).toEqual([good]);
  expect(await ids("session_id=s-1")).toEqual([good]);
  expect(await ids("q=brown+quick")).toEqual([good]);
  expect(await ids("q=nothing+alike")).toEqual([]);
  expect(await ids("min_cost=0.000001")).toEqual([good]);
  expect(await ids("to=2020-01-01T00:00:00Z")).toEqual([]);
  expect(await ids("from=2020-01-01T00:00:00Z")).toEqual([failed, good]);
});

test("bad filters are 400", async ({ api }) => {
  const bad: Record<string, string>[] = [{ status: "great" }, { cursor: "x" }, { from: "yesterday" }, { min_cost: "-1" }, { limit: "101" }, { guardrail_id: "7" }];
  for (const query of bad) await api.refuse(listGenerations, 400, { query });
});

test("an empty or missing id is 400, a malformed one 404", async ({ api }) => {
  await api.refuse(getGenerationContent, 400, { query: { id: "" } });
  await api.refuse(getGenerationContent, 400, {});
  for (const id of ["x", "gen-", "gen-1-short", "gen-99999999999999-abc"]) await api.refuse(getGenerationContent, 404, { query: { id } });
});
