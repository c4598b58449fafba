import { createChatCompletion } from "../../lib/gateway/contract";
import { getAuditEvent, listAuditEvents } from "../../lib/platform/audit/contract";
import { getOrganization, updateOrganization } from "../../lib/records/organization/contract";
import { listProviderHealth } from "../../lib/records/providers/contract";
import { expect, test } from "../fixtures";
import { createUpstream, unique } from "../world";

test("the organization is read and renamed, and the change is in the audit log", async ({ api }) => {
  const before = (await api.call(getOrganization)).data;
  const name = unique("Acme");
  expect((await api.call(updateOrganization, { body: { name } })).data).toMatchObject({
    id: before.id,
    name,
    limits: before.limits,
  });
  const events = await api.call(listAuditEvents, { query: { action: "organization.update", target_id: before.id } });
  const event = events.data.find(({ after }) => JSON.stringify(after).includes(name));
  expect((await api.call(getAuditEvent, { params: { id: event?.id ?? "" } })).data).toEqual(event);
  await api.call(updateOrganization, { body: { name: before.name } });
  for (const refused of ["", " ", "a".repeat(101)])
    await api.refuse(updateOrganization, 400, { body: { name: refused } });
  await api.refuse(updateOrganization, 400, { body: { id: before.id } });
});

test("health lists providers that received requests, and models that rest after failures", async ({ api, world }) => {
  const { provider, model } = await createUpstream(api, "http://127.0.0.1:9/v1");
  const { text } = await world.inferenceKey();
  const healthOf = async () =>
    (await api.call(listProviderHealth)).data.filter(({ provider: slug }) => slug === provider);
  expect(await healthOf()).toEqual([]);
  const body = { model, messages: [{ role: "user" as const, content: "Hello" }] };
  for (let request = 0; request < 10; request += 1) await api.as(text).send(createChatCompletion, { body });
  expect(await healthOf()).toEqual([{ provider, endpoints_asked: 1, resting: [model] }]);
});
