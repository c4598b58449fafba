import { createResponse } from "../../lib/gateway/contract";
import { getGeneration } from "../../lib/records/generations/contract";
import {
  createLimit,
  deleteLimit,
  getLimit,
  listLimits,
  listLimitSubjects,
  updateLimit,
} from "../../lib/records/limits/contract";
import { expect, test } from "../fixtures";
import { unique } from "../world";

const body = { model: "sandbox/echo", input: "Hello" };

test("a limit of requests per end user answers 429, and the record says why", async ({ api, world }) => {
  const { text, hash } = await world.inferenceKey();
  const [name, eve, vip] = [unique("Each end user"), unique("eve"), unique("vip")];
  const scoped = { workspace_id: world.workspaceId, subject_type: "end_user", metric: "requests" } as const;
  const { data: limit } = await api.call(createLimit, {
    body: { ...scoped, name, amount: 1, reset_interval: "hourly" },
  });
  const { data: exception } = await api.call(createLimit, {
    body: { ...scoped, name: unique("VIP"), subject_ids: [vip], amount: 100, reset_interval: "hourly" },
  });
  const send = (user: string) => api.send(createResponse, { body: { ...body, user } }, { as: text });
  const first = await send(eve);
  expect(first.status).toBe(200);
  expect(first.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  const second = await send(eve);
  expect(second.status).toBe(429);
  expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await second.json()).toMatchObject({
    error: { metadata: { limits: [{ limit_id: limit.id, subject_id: eve }] } },
  });
  const query = { id: second.headers.get("x-generation-id") ?? "" };
  const { data: record } = await api.call(getGeneration, { query });
  expect(record.decisions).toMatchObject([
    {
      scope: "workspace",
      field: "limit_requests",
      rule: `limit of 1 requests per hour of limit "${name}" (end user ${eve})`,
    },
  ]);
  for (const _ of [1, 2]) expect((await send(vip)).status, "named by another limit").toBe(200);

  const subjects = await api.call(listLimitSubjects, { params: { id: limit.id } });
  expect(subjects.data).toMatchObject([{ id: eve, used: 1, remaining: 0 }]);
  expect((await api.call(listLimits, { query: { key_hash: hash } })).data).not.toContainEqual(
    expect.objectContaining({ id: limit.id }),
  );
  await api.call(updateLimit, { params: { id: limit.id }, body: { amount: 3 } });
  await expect.poll(async () => (await send(eve)).status).toBe(200);
  for (const { id } of [limit, exception]) await api.call(deleteLimit, { params: { id } });
  expect((await api.send(getLimit, { params: { id: limit.id } })).status).toBe(404);
});

test("If-Match protects a limit from changes of others", async ({ api }) => {
  const { data } = await api.call(createLimit, {
    body: {
      name: unique("Limit"),
      subject_type: "tag",
      subject_ids: ["nobody"],
      metric: "tokens",
      amount: 1,
      reset_interval: "daily",
    },
  });
  const params = { id: data.id };
  await api.call(updateLimit, { params, body: { amount: 2 } });
  const late = await api.send(updateLimit, { params, body: { amount: 3 } }, { headers: { "if-match": '"1"' } });
  expect(late.status).toBe(412);
  await api.call(deleteLimit, { params });
});
