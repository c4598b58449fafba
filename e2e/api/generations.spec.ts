import type { z } from "zod";
import { deleteGenerationContent, getGenerationContent } from "../../lib/features/content-access/contract";
import {
  exportGenerations,
  Generation,
  getGeneration,
  listGenerations,
  tailGenerations,
} from "../../lib/records/generations/contract";
import { EXPORT_TOTAL_HEADER } from "../../lib/platform/http/vocabulary";
import { createChatCompletion, createResponse } from "../../lib/gateway/contract";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";

async function generate(
  api: Api,
  key: string,
  input: string,
  fields: { model?: string; session_id?: string } = {},
): Promise<string> {
  const answer = await api.as(key).send(createResponse, { body: { model: "sandbox/echo", input, ...fields } });
  await answer.arrayBuffer();
  return answer.headers.get("x-generation-id") ?? "";
}

test("content consists of prompt and completion until it is deleted", async ({ api, world }) => {
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

test("a chat's full history is stored, with reasoning separate", async ({ api, world }) => {
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

test("pages by cursor, newest first, without duplicates or gaps during concurrent writes", async ({ api, world }) => {
  const { text, hash } = await world.inferenceKey();
  const made: string[] = [];
  for (let index = 0; index < 7; index++) made.push(await generate(api, text, `number ${index}`));
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: z.output<typeof listGenerations.result> = await api.call(listGenerations, {
      query: { key_hash: hash, limit: "3", cursor },
    });
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    await generate(api, text, "a newcomer");
  }
  expect(seen).toEqual(made.reverse());
});

test("filters narrow results; repeated ones widen them", async ({ api, world }) => {
  const { text, hash } = await world.inferenceKey();
  const good = await generate(api, text, "the quick brown fox", { session_id: "s-1" });
  const failed = await generate(api, text, "lazy dog", { model: "sandbox/unavailable" });
  const ids = async (query: string) => {
    const answer = await fetch(`${api.url}/v1/generations?key_hash=${hash}&${query}`, {
      headers: { authorization: `Bearer ${(await world.managementKey()).text}` },
    });
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
  expect(await ids(`from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
  expect(await ids("from=2020-01-01T00:00:00Z")).toEqual([failed, good]);
});

test("invalid filters return 400", async ({ api }) => {
  const bad: Record<string, string>[] = [
    { status: "great" },
    { cursor: "x" },
    { from: "yesterday" },
    { min_cost: "-1" },
    { limit: "101" },
    { guardrail_id: "7" },
    { sort: "price" },
  ];
  for (const query of bad) await api.refuse(listGenerations, 400, { query });
});

test("an empty or missing ID returns 400, a malformed one 404", async ({ api }) => {
  await api.refuse(getGenerationContent, 400, { query: { id: "" } });
  await api.refuse(getGenerationContent, 400, {});
  for (const id of ["x", "gen-", "gen-1-short", "gen-99999999999999-abc"])
    await api.refuse(getGenerationContent, 404, { query: { id } });
});

test("an export streams all matching generations as JSON Lines and CSV", async ({ api, world }) => {
  const { text, hash } = await world.inferenceKey();
  const ids = [await generate(api, text, "one"), await generate(api, text, "two")];
  await generate(api, text, "three", { model: "sandbox/unavailable" });
  const query = { key_hash: hash, status: "succeeded" } as const;
  const jsonl = await api.send(exportGenerations, { query });
  expect(jsonl.headers.get("content-type")).toContain("application/jsonl");
  expect(jsonl.headers.get("content-disposition")).toMatch(/^attachment; filename=/);
  expect(jsonl.headers.get(EXPORT_TOTAL_HEADER)).toBe("2");
  expect(jsonl.headers.get("x-request-id")).toBeTruthy();
  const lines = (await jsonl.text()).trimEnd().split("\n");
  expect(lines.map((line) => Generation.parse(JSON.parse(line)).id)).toEqual(ids.toReversed());

  const csv = await api.send(exportGenerations, { query: { ...query, format: "csv" } });
  const rows = (await csv.text()).trimEnd().split("\r\n");
  expect(rows.slice(1).map((row) => row.split(",")[0])).toEqual(ids.toReversed());
  await api.refuse(exportGenerations, 400, { query: { format: "xml" } });
});

test("an abandoned export has no side effects", async ({ api, world }) => {
  const { text, hash } = await world.inferenceKey();
  await generate(api, text, "one");
  const answer = await api.send(exportGenerations, { query: { key_hash: hash } });
  await answer.body?.cancel();
  expect((await api.call(listGenerations, { query: { key_hash: hash } })).data).toHaveLength(1);
});

test("the tail returns each record once, also during concurrent writes", async ({ api, world }) => {
  const { text, hash } = await world.inferenceKey();
  let { next_cursor: since } = await api.call(tailGenerations, { query: { key_hash: hash } });
  const made = Promise.all(Array.from({ length: 20 }, (_, index) => generate(api, text, `number ${index}`)));
  const seen: string[] = [];
  const read = async () => {
    const { data, next_cursor } = await api.call(tailGenerations, { query: { key_hash: hash, since, limit: "3" } });
    seen.push(...data.map(({ id }) => id));
    since = next_cursor;
    return seen.length;
  };
  const ids = await made;
  await expect.poll(read).toBe(20);
  expect(await read()).toBe(20);
  expect(seen.toSorted()).toEqual(ids.toSorted());
  await api.refuse(tailGenerations, 400, { query: { since: "x" } });
});
