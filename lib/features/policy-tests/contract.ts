import { z } from "zod";
import { Decision } from "../../engine/decision/contract";
import { PROTOCOLS } from "../../engine/protocols/vocabulary";
import { CheckVerdicts } from "../../engine/checks/contract";
import { GuardrailDraft } from "../../records/guardrails/contract";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import { PolicyCheck } from "../policy-check/contract";
import { MAX_TESTS, TEST_OUTCOMES } from "./vocabulary";
import { newName } from "../../platform/name-contract";

/** Maximum number of characters in a request as JSON, and in a response: enough for a prompt with history. */
const MAX_REQUEST = 65_536;

const Expected = z.strictObject({
  outcome: z.enum(TEST_OUTCOMES),
  field: z
    .string()
    .min(1)
    .max(100)
    .nullish()
    .meta({ description: "The field expected to decide, e.g. content_filter_builtins; null for any" }),
  rule: z
    .string()
    .min(1)
    .max(10_000)
    .nullish()
    .meta({ description: "The rule expected to decide, as named in decisions, e.g. email; null for any" }),
});

const fields = {
  name: newName(200),
  request: z
    .record(z.string(), z.unknown())
    .refine(
      (request) => JSON.stringify(request).length <= MAX_REQUEST,
      `must be at most ${MAX_REQUEST} characters of JSON`,
    )
    .meta({ description: "The body of an inference request: a model, and the prompt as `input` or `messages`" }),
  check_verdicts: CheckVerdicts.nullish().meta({
    description:
      "Verdicts of external checks by name; for requests and answers or for each; tests call none, and a check that isn't named allows",
  }),
  answer: z.string().max(MAX_REQUEST).nullish().meta({
    description: "The content of a model's answer, to evaluate by the filters and checks that apply to answers",
  }),
  expected: Expected,
};
const protocol = z.enum(PROTOCOLS);

export const PolicyTest = z
  .object({
    id: Uuid,
    ...fields,
    name: z.string(),
    request: z.record(z.string(), z.unknown()),
    protocol,
    check_verdicts: CheckVerdicts.nullable(),
    answer: z.string().nullable(),
    expected: z.object({ outcome: z.enum(TEST_OUTCOMES), field: z.string().nullable(), rule: z.string().nullable() }),
    created_by: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: "PolicyTest" });
export type PolicyTest = z.output<typeof PolicyTest>;

export const CreatePolicyTestBody = z.strictObject({ ...fields, protocol: protocol.default("responses") });
export type CreatePolicyTestBody = z.output<typeof CreatePolicyTestBody>;

export const PolicyTestResult = z
  .object({
    test_id: Uuid,
    name: z.string(),
    passed: z.boolean(),
    expected: PolicyTest.shape.expected,
    actual: PolicyCheck.shape.outcome
      .nullable()
      .meta({ description: "null when the request couldn't be evaluated; see why" }),
    why: z.string().nullable().meta({ description: "The reason for a failure; null when the test passed" }),
    message: z.string().nullable().meta({ description: "The error message the caller would get" }),
    decisions: z.array(Decision),
  })
  .meta({ id: "PolicyTestResult" });
export type PolicyTestResult = z.output<typeof PolicyTestResult>;

const required = z
  .boolean()
  .meta({ description: "Whether changes to the guardrail that fail a test are rejected (409)" });
const TestParams = IdParams.extend({ test_id: Uuid });
const management = { tag: "Policy tests", access: "management" } as const;
const example = {
  body: {
    name: "Customer addresses are never sent",
    request: { model: "sandbox/echo", input: "Write to ada@example.com" },
    expected: { outcome: "redacted", field: "content_filter_builtins", rule: "email" },
  },
};

export const listPolicyTests = operation({
  ...management,
  id: "listPolicyTests",
  permission: "guardrails:read",
  byWorkspace: true,
  method: "GET",
  path: "/guardrails/{id}/tests",
  summary: "List the tests of a guardrail, oldest first, and whether they are required",
  params: IdParams,
  query: PageQuery,
  status: 200,
  result: page(PolicyTest).extend({ tests_required: required }),
});

export const createPolicyTest = operation({
  ...management,
  id: "createPolicyTest",
  permission: "guardrails:write",
  byWorkspace: true,
  method: "POST",
  path: "/guardrails/{id}/tests",
  summary: `Add a test to a guardrail: a request with its expected outcome; at most ${MAX_TESTS} per guardrail`,
  params: IdParams,
  body: CreatePolicyTestBody,
  bodySize: "large",
  status: 201,
  result: envelope(PolicyTest),
  idempotent: true,
  example,
});

export const updatePolicyTests = operation({
  ...management,
  id: "updatePolicyTests",
  permission: "guardrails:write",
  byWorkspace: true,
  method: "PATCH",
  path: "/guardrails/{id}/tests",
  summary: "Set whether tests are required: if so, changes to the guardrail that fail a test are rejected",
  params: IdParams,
  body: z.strictObject({ tests_required: required }),
  status: 200,
  result: envelope(z.object({ tests_required: required })),
  example: { body: { tests_required: true } },
});

export const updatePolicyTest = operation({
  ...management,
  id: "updatePolicyTest",
  permission: "guardrails:write",
  byWorkspace: true,
  method: "PATCH",
  path: "/guardrails/{id}/tests/{test_id}",
  summary: "Update the given fields of a test",
  params: TestParams,
  body: z.strictObject({ ...fields, protocol }).partial(),
  bodySize: "large",
  status: 200,
  result: envelope(PolicyTest),
  example: { body: { expected: { outcome: "allowed" } } },
});

export const deletePolicyTest = operation({
  ...management,
  id: "deletePolicyTest",
  permission: "guardrails:write",
  byWorkspace: true,
  method: "DELETE",
  path: "/guardrails/{id}/tests/{test_id}",
  summary: "Delete a test",
  params: TestParams,
  status: 200,
  result: Deleted,
});

export const runPolicyTests = operation({
  ...management,
  id: "runPolicyTests",
  permission: "guardrails:read",
  byWorkspace: true,
  method: "POST",
  path: "/guardrails/{id}/tests/run",
  summary: "Run a guardrail's tests, optionally with changed fields; nothing is stored or sent",
  params: IdParams,
  body: z.strictObject({
    changes: GuardrailDraft.optional().meta({ description: "Fields to change for this run" }),
  }),
  bodySize: "medium",
  inspected: true,
  bodyOptional: true,
  status: 200,
  result: envelope(
    z.object({ passed: z.number().int(), failed: z.number().int(), results: z.array(PolicyTestResult) }),
  ),
  example: { body: { changes: { content_filter_builtins: null } } },
});
