import { getGuardrail, updateGuardrail } from "../../lib/records/guardrails/contract";
import {
  createPolicyTest,
  deletePolicyTest,
  listPolicyTests,
  runPolicyTests,
  updatePolicyTest,
  updatePolicyTests,
  type CreatePolicyTestBody,
} from "../../lib/features/policy-tests/contract";
import { expect, test } from "../fixtures";

const BLOCKS: Omit<CreatePolicyTestBody, "protocol"> = {
  name: "Ticket numbers stay inside",
  request: { model: "sandbox/echo", input: "See PROJ-1234" },
  expected: { outcome: "blocked", field: "content_filters", rule: "[TICKET]" },
};
const PASSES: Omit<CreatePolicyTestBody, "protocol"> = {
  name: "Plain words pass",
  request: { model: "sandbox/echo", input: "Hello" },
  expected: { outcome: "allowed" },
};
const TICKETS = { content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[TICKET]", action: "block" as const }] };

test("tests belong to a guardrail, run on drafts, and are updated and deleted", async ({ api, world }) => {
  const params = { id: (await world.guardrail(TICKETS)).id };
  const { data: blocks } = await api.call(createPolicyTest, { params, body: BLOCKS });
  await api.call(createPolicyTest, { params, body: PASSES });
  const listed = await api.call(listPolicyTests, { params });
  expect([listed.tests_required, listed.total_count, listed.data.map(({ name }) => name)]).toEqual([
    false,
    2,
    [BLOCKS.name, PASSES.name],
  ]);

  expect((await api.call(runPolicyTests, { params, body: {} })).data).toMatchObject({ passed: 2, failed: 0 });
  const { data } = await api.call(runPolicyTests, { params, body: { changes: { content_filters: null } } });
  expect(data).toMatchObject({
    passed: 1,
    failed: 1,
    results: [
      { test_id: blocks.id, passed: false, actual: "allowed", why: "expected blocked, was allowed" },
      { passed: true, why: null },
    ],
  });

  const one = { ...params, test_id: blocks.id };
  await api.call(updatePolicyTest, { params: one, body: { expected: { outcome: "allowed" } } });
  expect((await api.call(runPolicyTests, { params, body: {} })).data).toMatchObject({ failed: 1 });
  await api.call(deletePolicyTest, { params: one });
  await api.refuse(updatePolicyTest, 404, { params: one, body: { name: "Gone" } });
});

test("failed required tests prevent a save and are all named", async ({ api, world }) => {
  const { id } = await world.guardrail(TICKETS);
  const params = { id };
  for (const body of [BLOCKS, { ...BLOCKS, name: "Twice" }, PASSES]) await api.call(createPolicyTest, { params, body });
  expect(await api.call(updatePolicyTests, { params, body: { tests_required: true } })).toEqual({
    data: { tests_required: true },
  });
  const refusal = await api.refuse(updateGuardrail, 409, { params, body: { content_filters: [] } });
  expect(refusal.message).toContain(BLOCKS.name);
  expect(refusal.metadata).toMatchObject({
    reason: "tests_failed",
    failed_tests: [{ name: BLOCKS.name, actual: "allowed" }, { name: "Twice" }],
  });
  expect((await api.call(getGuardrail, { params })).data).toMatchObject({ revision: 1, ...TICKETS });
  await api.call(updateGuardrail, { params, body: { description: "As before" } });
});

test("invalid tests and drafts are rejected with every issue's path", async ({ api, world }) => {
  const params = { id: (await world.guardrail()).id };
  const bad = await api.refuse(createPolicyTest, 400, {
    params,
    body: { name: "", request: { model: "sandbox/echo", input: "x" }, expected: { outcome: "fine" }, colour: "red" },
  });
  for (const word of ["name", "expected", "colour"]) expect(JSON.stringify(bad.metadata)).toContain(word);
  expect(
    (
      await api.refuse(createPolicyTest, 400, {
        params,
        body: { ...PASSES, request: { model: "sandbox/echo", temperature: "hot" } },
      })
    ).message,
  ).toContain("request");
  expect(
    (
      await api.refuse(runPolicyTests, 400, {
        params,
        body: { changes: { content_filters: [{ pattern: "(?=x)", action: "block" }] } },
      })
    ).message,
  ).toContain("changes");
  await api.as((await world.inferenceKey()).text).refuse(runPolicyTests, 403, { params, body: {} });
});
