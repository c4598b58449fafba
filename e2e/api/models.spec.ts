import { OpenRouter } from "@openrouter/sdk";
import OpenAI from "openai";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { createChatCompletion } from "../../lib/gateway/contract";
import { createModel, deleteModel, getModel, listModels, updateModel } from "../../lib/records/models/contract";
import { expect, test } from "../fixtures";
import { MANAGEMENT_KEY } from "../server";
import { unique } from "../world";

const endpoint = {
  provider: "sandbox",
  upstream_model: "sandbox/echo",
  price: { prompt: "0.0000000001", completion: "1.5" },
};
const model = (fields: object = {}) => ({ slug: `${unique("acme")}/large`, endpoints: [endpoint], ...fields });

test("create, get, list, update and delete are consistent; the slug is URL-encoded", async ({ api }) => {
  const body = model({ name: "Large", context_length: 1000 });
  const { data } = await api.call(createModel, { body });
  expect(data).toMatchObject({
    id: body.slug,
    slug: body.slug,
    name: "Large",
    vendor: body.slug.split("/")[0],
    endpoints: [{ price: { ...endpoint.price, request: "0" } }],
  });
  const params = { slug: body.slug };
  expect((await api.call(getModel, { params })).data).toEqual(data);
  expect((await api.call(listModels)).data).toContainEqual(data);
  const endpoints = [{ ...endpoint, zdr: true, quantization: "int8" as const }];
  const updated = (await api.call(updateModel, { params, body: { context_length: null, endpoints } })).data;
  expect(updated).toMatchObject({
    name: "Large",
    context_length: null,
    endpoints: [{ zdr: true, quantization: "int8" }],
  });
  expect(await api.call(deleteModel, { params })).toEqual({ deleted: true });
  await api.refuse(getModel, 404, { params });
});

test("a slug is unique", async ({ api }) => {
  const body = model();
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.send(createModel, { body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
});

const refused: readonly [what: string, fields: Record<string, unknown>, path: unknown[]][] = [
  ["an unknown provider", { endpoints: [endpoint, { ...endpoint, provider: "nobody" }] }, ["endpoints", 1, "provider"]],
  ["the same endpoint twice", { endpoints: [endpoint, endpoint] }, ["endpoints", 1]],
  [
    "a price that is no text",
    { endpoints: [{ ...endpoint, price: { prompt: 1, completion: "1" } }] },
    ["endpoints", 0, "price", "prompt"],
  ],
  [
    "an eleventh decimal",
    { endpoints: [{ ...endpoint, price: { prompt: "0.00000000001", completion: "1" } }] },
    ["endpoints", 0, "price", "prompt"],
  ],
  ["an unknown field", { pricing: {} }, ["pricing"]],
];
for (const [what, fields, path] of refused) {
  test(`create and update reject ${what}`, async ({ api }) => {
    const issues = [expect.objectContaining({ path })];
    expect((await api.refuse(createModel, 400, { body: model(fields) })).metadata["issues"]).toEqual(issues);
    const { data } = await api.call(createModel, { body: model() });
    expect(
      (await api.refuse(updateModel, 400, { params: { slug: data.slug }, body: fields })).metadata["issues"],
    ).toEqual(issues);
  });
}

test("a new model serves requests", async ({ api, world }) => {
  const { data } = await api.call(createModel, { body: model() });
  const { text } = await world.inferenceKey();
  const answer = await api.send(
    createChatCompletion,
    { body: { model: data.slug, messages: [{ role: "user", content: "Hello" }] } },
    { as: text },
  );
  expect(await answer.json()).toMatchObject({
    model: data.slug,
    choices: [{ message: { content: "You said: Hello" } }],
  });
});

test("an inference key lists only models its guardrail allows", async ({ api, world }) => {
  const key = await world.inferenceKey();
  const { data: guardrail } = await api.call(createGuardrail, {
    body: { name: "Echo only", workspace_id: world.workspaceId, allowed_models: ["sandbox/echo"] },
  });
  const seen = async () => (await api.as(key.text).call(listModels)).data.map(({ slug }) => slug);
  expect(await seen()).toEqual(expect.arrayContaining(["sandbox/echo", "sandbox/reasoner"]));
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  expect(await seen()).toEqual(["sandbox/echo"]);
  await api.refuse(createModel, 403, { body: model() }, { as: key.text });
});

test("the official clients list models", async ({ api, serverUrl, world }) => {
  const { data } = await api.call(createModel, { body: model({ context_length: 1000 }) });
  const { text } = await world.inferenceKey();
  const pages = await new OpenRouter({ apiKey: MANAGEMENT_KEY, serverURL: `${serverUrl}/v1` }).models.list();
  const slugs: string[] = [];
  for await (const { result } of pages) slugs.push(...result.data.map(({ id }) => id));
  expect(slugs).toContain(data.slug);
  const ids: string[] = [];
  for await (const { id } of new OpenAI({ apiKey: text, baseURL: `${serverUrl}/v1` }).models.list()) ids.push(id);
  expect(ids).toContain(data.slug);
});
