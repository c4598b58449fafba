import { getAuditEvent, listAuditEvents } from "../../lib/platform/audit/contract";
import { getOrganization, updateOrganization } from "../../lib/records/organization/contract";
import { listProviderHealth } from "../../lib/records/providers/contract";
import { expect, test } from "../fixtures";
import { unique } from "../world";

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

test("health lists providers that received requests", async ({ api }) => {
  const { data } = await api.call(listProviderHealth);
  for (const { endpoints_asked, resting } of data) expect(resting.length).toBeLessThanOrEqual(endpoints_asked);
});
