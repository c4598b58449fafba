import {
  createException,
  endException,
  getException,
  listExceptions,
  type CreateExceptionBody,
  type Exception,
} from "../../lib/records/exceptions/contract";
import { getGeneration } from "../../lib/records/generations/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { createResponse } from "../../lib/gateway/contract";
import { updateKey } from "../../lib/records/keys/contract";
import { checkPolicy, getEffectivePolicy } from "../../lib/features/policy-check/contract";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import { startFakeProvider } from "../fake-provider";
import { createUpstream, type World } from "../world";

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const HOUR = 3_600_000;

/** Creates a key with a guardrail that blocks email addresses. */
async function governed(api: Api, world: World) {
  const [key, guardrail] = await Promise.all([
    world.inferenceKey(),
    world.guardrail({ content_filter_builtins: [{ slug: "email", action: "block" }] }),
  ]);
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  const lift: CreateExceptionBody = {
    kind: "lift_rule",
    key_hash: key.hash,
    guardrail_id: guardrail.id,
    field: "content_filter_builtins",
    rule: "email",
    reason: "Incident 4711",
    expires_at: inMs(HOUR),
  };
  return { key, guardrail, lift };
}

const grant = async (api: Api, body: CreateExceptionBody): Promise<Exception> =>
  (await api.call(createException, { body })).data;
const email = { body: { model: "sandbox/echo", input: "Write to ada@example.com" } };

test("a blocked request passes only while an exception lifts the rule", async ({ api, world }) => {
  const { key, guardrail, lift } = await governed(api, world);
  const mine = api.as(key.text);
  await mine.refuse(createResponse, 403, email);
  let exception = await grant(api, { ...lift, expires_at: inMs(2000) });
  let answer = await mine.send(createResponse, email);
  // On a slow machine, the exception may have ended before the request.
  for (
    ;
    answer.status !== 200 && Date.now() > Date.parse(exception.expires_at);
    answer = await mine.send(createResponse, email)
  )
    exception = await grant(api, { ...lift, expires_at: inMs(10_000) });
  expect(answer.status).toBe(200);
  const { data } = await api.call(getGeneration, { query: { id: answer.headers.get("x-generation-id") ?? "" } });
  expect(data).toMatchObject({
    status: "succeeded",
    decisions: [
      {
        guardrail_id: guardrail.id,
        field: "content_filter_builtins",
        rule: "email",
        action: "allow",
        exception: { id: exception.id, reason: "Incident 4711", expires_at: exception.expires_at, would: "block" },
      },
    ],
  });
  await expect.poll(async () => (await mine.send(createResponse, email)).status).toBe(403);
  expect((await api.call(getException, { params: { id: exception.id } })).data.status).toBe("expired");
});

test("an exception ended early no longer applies", async ({ api, world }) => {
  const { key, lift } = await governed(api, world);
  const { id } = await grant(api, lift);
  await api.as(key.text).call(createResponse, email);
  expect(await api.call(endException, { params: { id } })).toEqual({ deleted: true });
  await api.as(key.text).refuse(createResponse, 403, email);
  expect((await api.call(getException, { params: { id } })).data).toMatchObject({
    status: "ended",
    ended_at: expect.any(String),
  });
});

test("an exact phrase passes while other matches are blocked", async ({ api, world }) => {
  const { key, lift } = await governed(api, world);
  await grant(api, {
    kind: "allow_phrase",
    key_hash: key.hash,
    phrase: "ada@example.com",
    reason: lift.reason,
    expires_at: lift.expires_at,
  });
  await api.as(key.text).call(createResponse, email);
  await api.as(key.text).refuse(createResponse, 403, {
    body: { model: "sandbox/echo", input: "Write to ada@example.com and eve@example.com" },
  });
});

test("a raised limit can be spent until it is reached again", async ({ api, world }) => {
  const fake = await startFakeProvider();
  const { model } = await createUpstream(api, fake.baseUrl);
  const { key, lift } = await governed(api, world);
  await api.call(updateKey, { params: { hash: key.hash }, body: { limit: 0.000001 } });
  const ask = { body: { model, input: "hi" } };
  const mine = api.as(key.text);
  await mine.call(createResponse, ask);
  await mine.refuse(createResponse, 403, ask);
  const { id } = await grant(api, {
    kind: "raise_limit",
    key_hash: key.hash,
    raise_usd: 1,
    reason: lift.reason,
    expires_at: lift.expires_at,
  });
  const answer = await mine.send(createResponse, ask);
  expect(answer.status).toBe(200);
  const { data } = await api.call(getGeneration, { query: { id: answer.headers.get("x-generation-id") ?? "" } });
  expect(data.decisions).toMatchObject([
    { field: "limit_usd", guardrail_id: null, action: "allow", exception: { id, would: "block" } },
  ]);
  await api.call(endException, { params: { id } });
  await mine.refuse(createResponse, 403, ask);
  await fake.stop();
});

test("policy checks and the effective policy include it", async ({ api, world }) => {
  const { key, lift } = await governed(api, world);
  const { id } = await grant(api, lift);
  const { data } = await api.call(checkPolicy, { body: { request: email.body, key_hash: key.hash } });
  expect(data).toMatchObject({ outcome: "allowed", decisions: [{ action: "allow", exception: { id } }] });
  const effective = await api.call(getEffectivePolicy, { query: { key_hash: key.hash } });
  expect(effective.data.exceptions.map((one) => one.id)).toEqual([id]);
  expect(effective.data.fields.content_filter_builtins).toEqual([]);
});

test("is listed by key and guardrail, and requires management access", async ({ api, world }) => {
  const { key, guardrail, lift } = await governed(api, world);
  const { id } = await grant(api, lift);
  for (const query of [{ key_hash: key.hash }, { guardrail_id: guardrail.id, active: "true" as const }]) {
    expect((await api.call(listExceptions, { query })).data.map((one) => one.id)).toEqual([id]);
  }
  expect(await api.call(listExceptions, { query: { key_hash: key.hash, active: "false" } })).toEqual({
    data: [],
    total_count: 0,
  });
  await api.as(key.text).refuse(createException, 403, { body: lift });
  await api.as(key.text).refuse(endException, 403, { params: { id } });
  const refusal = await api.refuse(createException, 400, {
    body: { ...lift, expires_at: inMs(100 * 24 * HOUR), rule: undefined, colour: "red" },
  });
  expect(refusal.message).toContain("colour");
});
