import { getGuardrail, updateGuardrail } from "../../lib/records/guardrails/contract";
import {
  getGuardrailVersion,
  listGuardrailVersions,
  restoreGuardrailVersion,
} from "../../lib/records/guardrails/versions-contract";
import { expect, test } from "../fixtures";

test("every write creates a revision with its message; restoring creates another", async ({ api, world }) => {
  const { id, name } = await world.guardrail({ limit_usd: 5, revision_message: "First" });
  const params = { id };
  await api.call(updateGuardrail, { params, body: { limit_usd: 9, revision_message: "More room" } });
  const { data, total_count } = await api.call(listGuardrailVersions, { params });
  expect([
    total_count,
    data.map(({ revision, message, changed_fields }) => [revision, message, changed_fields]),
  ]).toEqual([
    2,
    [
      [2, "More room", ["limit_usd"]],
      [1, "First", ["name", "limit_usd"]],
    ],
  ]);
  const { data: first } = await api.call(getGuardrailVersion, { params: { id, n: "1" } });
  expect(first.fields).toMatchObject({ name, limit_usd: 5 });

  const stale = { headers: { "if-match": '"1"' } };
  await api.refuse(restoreGuardrailVersion, 412, { params: { id, n: "1" }, body: {} }, stale);
  const { data: restored } = await api.call(
    restoreGuardrailVersion,
    { params: { id, n: "1" }, body: { revision_message: "Back" } },
    { headers: { "if-match": '"2"' } },
  );
  expect(restored).toMatchObject({ limit_usd: 5, revision: 3 });
  expect((await api.call(getGuardrail, { params })).data).toEqual(restored);
  expect((await api.call(listGuardrailVersions, { params, query: { limit: "1" } })).data).toMatchObject([
    { revision: 3, message: "Back", changed_fields: ["limit_usd"] },
  ]);
});

test("unknown and malformed revisions return 404, a too long message 400", async ({ api, world }) => {
  const { id } = await world.guardrail();
  for (const n of ["2", "0", "x", "1e1", "99999999999"]) {
    await api.refuse(getGuardrailVersion, 404, { params: { id, n } });
    await api.refuse(restoreGuardrailVersion, 404, { params: { id, n }, body: {} });
  }
  await api.refuse(restoreGuardrailVersion, 400, {
    params: { id, n: "1" },
    body: { revision_message: "x".repeat(501) },
  });
  await api.refuse(updateGuardrail, 400, { params: { id }, body: { revision_message: "" } });
});
