import {
  createGuardrail,
  deleteGuardrail,
  getGuardrail,
  listGuardrails,
  updateGuardrail,
  type UpdateGuardrailBody,
} from "../../lib/records/guardrails/contract";
import { PERSONAL_DATA_BUILTINS } from "../../lib/engine/filters/vocabulary";
import { expect, test } from "../fixtures";
import { unique } from "../world";

const everyField = {
  description: "All of it",
  allowed_models: ["openai/gpt-5", "anthropic/claude-sonnet-4.5"],
  ignored_models: ["openai/gpt-3.5-turbo"],
  allowed_providers: ["openai", "anthropic"],
  ignored_providers: [],
  allowed_data_regions: ["europe" as const],
  limit_usd: 12.345678,
  reset_interval: "monthly" as const,
  include_byok_in_budgets: true,
  enforce_zdr: true,
  enforce_zdr_vendor_b: false,
  content_filter_builtins: [
    { slug: "regex-prompt-injection" as const, action: "flag" as const, scan_scope: "user_only" as const },
    { slug: "email" as const, action: "redact" as const },
  ],
  content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[TICKET]", action: "redact" as const }],
};

test("create returns 201 with every field as sent, and get returns the same", async ({ api, world }) => {
  const created = await world.guardrail({ name: "  Trimmed  ", ...everyField });
  const { content_filter_builtins: _, ...sent } = everyField;
  expect(created).toMatchObject({
    ...sent,
    name: "Trimmed",
    workspace_id: world.workspaceId,
    revision: 1,
    updated_at: null,
    enforce_zdr_vendor_a: true,
    enforce_zdr_vendor_b: false,
    enforce_zdr_vendor_c: true,
    enforce_zdr_other: true,
    enforce_zdr_anthropic: true,
    enforce_zdr_openai: false,
    enforce_zdr_google: true,
  });
  expect(created.content_filter_builtins).toEqual([
    { slug: "regex-prompt-injection", action: "flag", scan_scope: "user_only", label: "[PROMPT_INJECTION]" },
    expect.objectContaining({ slug: "email", action: "redact", label: "[EMAIL]" }),
  ]);
  expect((await api.call(getGuardrail, { params: { id: created.id } })).data).toEqual(created);
});

test("a guardrail with only a name has null in all other fields", async ({ world }) => {
  const created = await world.guardrail();
  const unset = Object.entries(everyField).filter(([field]) => field !== "include_byok_in_budgets");
  for (const [field] of unset) expect(created[field], field).toBeNull();
  expect(created.include_byok_in_budgets).toBe(false);
});

test("update changes only sent fields, replaces lists, and clears with null", async ({ api, world }) => {
  const { id } = await world.guardrail(everyField);
  const { data } = await api.call(updateGuardrail, {
    params: { id },
    body: { allowed_models: ["openai/gpt-5-mini"], content_filters: null },
  });
  expect(data).toMatchObject({
    allowed_models: ["openai/gpt-5-mini"],
    content_filters: null,
    description: "All of it",
    limit_usd: 12.345678,
    revision: 2,
  });
  expect(data.updated_at).not.toBeNull();
  const cleared = await api.call(updateGuardrail, {
    params: { id },
    body: { content_filter_builtins: null, limit_usd: null },
  });
  expect(cleared.data).toMatchObject({ content_filter_builtins: null, limit_usd: null, revision: 3 });
});

test("on update, enforce_zdr sets the fields the update omits", async ({ api, world }) => {
  const { id } = await world.guardrail({ enforce_zdr_vendor_a: false });
  const { data } = await api.call(updateGuardrail, {
    params: { id },
    body: { enforce_zdr: true, enforce_zdr_other: false },
  });
  expect(data).toMatchObject({ enforce_zdr_vendor_a: true, enforce_zdr_vendor_b: true, enforce_zdr_other: false });
});

test("the deprecated field sets a header, its successors don't", async ({ api, world }) => {
  const { id } = await world.guardrail();
  const patch = (body: UpdateGuardrailBody) => api.send(updateGuardrail, { params: { id }, body });
  expect((await patch({ enforce_zdr: true })).headers.get("deprecation")).toMatch(/^@\d+$/);
  expect((await patch({ enforce_zdr_other: true })).headers.get("deprecation")).toBeNull();
});

test("a deleted guardrail is gone from get and list; a second delete returns 404", async ({ api, world }) => {
  const { id } = await world.guardrail();
  expect(await api.call(deleteGuardrail, { params: { id } })).toEqual({ deleted: true });
  await api.refuse(getGuardrail, 404, { params: { id } });
  await api.refuse(deleteGuardrail, 404, { params: { id } });
  const { total_count } = await api.call(listGuardrails, { query: { workspace_id: world.workspaceId } });
  expect(total_count).toBe(0);
});

test("the list is newest first with full pages and a stable total", async ({ api, world }) => {
  const made: string[] = [];
  for (let index = 0; index < 7; index++) made.push((await world.guardrail()).id);
  const pages = await Promise.all(
    [0, 3, 6, 9].map((offset) =>
      api.call(listGuardrails, { query: { workspace_id: world.workspaceId, limit: "3", offset: String(offset) } }),
    ),
  );
  expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1, 0]);
  expect(pages.map(({ total_count }) => total_count)).toEqual([7, 7, 7, 7]);
  expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(made.reverse());
});

test("without workspace_id the default workspace is listed", async ({ api, world }) => {
  const { id } = await world.guardrail();
  const { data } = await api.call(listGuardrails, { query: { limit: "100" } });
  expect(data.map((guardrail) => guardrail.id)).not.toContain(id);
});

test("workspace_id=all lists the guardrails of all workspaces", async ({ api, world }) => {
  const name = `All ${world.workspaceId}`;
  const [inWorld, inDefault] = await Promise.all([
    api.call(createGuardrail, { body: { name, workspace_id: world.workspaceId } }),
    api.call(createGuardrail, { body: { name } }),
  ]);
  const { data, total_count } = await api.call(listGuardrails, { query: { workspace_id: "all", q: name } });
  expect(data.map(({ id }) => id).toSorted()).toEqual([inWorld.data.id, inDefault.data.id].toSorted());
  expect(total_count).toBe(2);
});

type Row = readonly [what: string, fields: Record<string, unknown>, path: readonly (string | number)[]];
const bad: readonly Row[] = [
  ["an empty name", { name: "   " }, ["name"]],
  ["a name of 201 characters", { name: "x".repeat(201) }, ["name"]],
  ["a description of 1001 characters", { description: "x".repeat(1001) }, ["description"]],
  ["1001 models", { allowed_models: Array.from({ length: 1001 }, (_, index) => `m${index}`) }, ["allowed_models"]],
  ["an empty model", { ignored_models: ["ok", ""] }, ["ignored_models", 1]],
  ["a provider of 201 characters", { allowed_providers: ["p".repeat(201)] }, ["allowed_providers", 0]],
  ["a negative limit", { limit_usd: -0.01 }, ["limit_usd"]],
  ["a limit over a billion", { limit_usd: 1_000_000_001 }, ["limit_usd"]],
  ["a limit of seven decimals", { limit_usd: 0.0000001 }, ["limit_usd"]],
  ["an unknown interval", { reset_interval: "yearly" }, ["reset_interval"]],
  ["a number for a switch", { enforce_zdr_vendor_a: 1 }, ["enforce_zdr_vendor_a"]],
  [
    "two values for one vendor",
    { enforce_zdr_vendor_a: true, enforce_zdr_anthropic: false },
    ["enforce_zdr_anthropic"],
  ],
  ["an unconfigured vendor", { enforce_zdr_mistral: true }, ["enforce_zdr_mistral"]],
  [
    "an unknown builtin",
    { content_filter_builtins: [{ slug: "iban", action: "block" }] },
    ["content_filter_builtins", 0, "slug"],
  ],
  ...PERSONAL_DATA_BUILTINS.map((slug): Row => [
    `flag on ${slug}`,
    { content_filter_builtins: [{ slug, action: "flag" }] },
    ["content_filter_builtins", 0, "action"],
  ]),
  [
    "a builtin twice",
    {
      content_filter_builtins: [
        { slug: "email", action: "block" },
        { slug: "email", action: "redact" },
      ],
    },
    ["content_filter_builtins"],
  ],
  ["an empty pattern", { content_filters: [{ pattern: "", action: "block" }] }, ["content_filters", 0, "pattern"]],
  ["an unknown action", { content_filters: [{ pattern: "a", action: "drop" }] }, ["content_filters", 0, "action"]],
  [
    "a label of 101 characters",
    { content_filters: [{ pattern: "a", action: "flag", label: "l".repeat(101) }] },
    ["content_filters", 0, "label"],
  ],
  ["101 filters", { content_filters: Array(101).fill({ pattern: "a", action: "block" }) }, ["content_filters"]],
  ["an unknown field", { colour: "red" }, ["colour"]],
];

for (const [what, fields, path] of bad) {
  test(`create and update reject ${what}`, async ({ api, world }) => {
    const { id } = await world.guardrail();
    const onCreate = await api.refuse(createGuardrail, 400, {
      body: { name: "x", workspace_id: world.workspaceId, ...fields },
    });
    const onUpdate = await api.refuse(updateGuardrail, 400, { params: { id }, body: fields });
    for (const { message, metadata } of [onCreate, onUpdate]) {
      expect(message).toMatch(/^Invalid request parameters/);
      expect(metadata["issues"]).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
    }
    expect((await api.call(getGuardrail, { params: { id } })).data.revision).toBe(1);
  });
}

for (const [what, pattern] of [
  ["look-around", "(?=a)b"],
  ["a back-reference", "(a)\\1"],
  ["a syntax error", "a("],
] as const) {
  test(`a pattern with ${what} is rejected with the engine's message`, async ({ api, world }) => {
    const body = { name: "x", workspace_id: world.workspaceId, content_filters: [{ pattern, action: "block" }] };
    const { metadata } = await api.refuse(createGuardrail, 400, { body });
    expect(metadata["issues"]).toEqual([
      expect.objectContaining({
        path: ["content_filters", 0, "pattern"],
        code: "invalid_regex_pattern",
        message: expect.stringMatching(/.+/),
      }),
    ]);
  });
}

test("a pattern that compiles to a huge program is rejected", async ({ api, world }) => {
  const pattern = "(?:[a-z]{1,30}[0-9]{1,30}){1,30}";
  const body = { name: "x", workspace_id: world.workspaceId, content_filters: [{ pattern, action: "block" }] };
  const { metadata } = await api.refuse(createGuardrail, 400, { body });
  expect(metadata["issues"]).toEqual([expect.objectContaining({ code: "regex_too_complex" })]);
});

test("all issues are reported together", async ({ api }) => {
  const { metadata } = await api.refuse(createGuardrail, 400, {
    body: { name: "", limit_usd: -1, colour: "red", shape: "round" },
  });
  expect(metadata["issues"]).toHaveLength(4);
});

test("workspace_id can't be changed", async ({ api, world }) => {
  const { id } = await world.guardrail();
  const { metadata } = await api.refuse(updateGuardrail, 400, {
    params: { id },
    body: { workspace_id: world.workspaceId },
  });
  expect(metadata["issues"]).toEqual([expect.objectContaining({ path: ["workspace_id"] })]);
});

test("lists are deduplicated in order, and an empty list is kept", async ({ world }) => {
  const created = await world.guardrail({ allowed_models: ["b", "a", "b", "c", "a"], ignored_models: [] });
  expect(created).toMatchObject({ allowed_models: ["b", "a", "c"], ignored_models: [] });
});

test("an unknown workspace is 400 in a body and 404 in a list", async ({ api }) => {
  const workspace_id = "019aa000-0000-7000-8000-000000000000";
  const { metadata } = await api.refuse(createGuardrail, 400, { body: { name: "x", workspace_id } });
  expect(metadata["issues"]).toEqual([expect.objectContaining({ path: ["workspace_id"] })]);
  await api.refuse(listGuardrails, 404, { query: { workspace_id } });
});

test("the list is searched and sorted, and an unknown sort is rejected", async ({ api, world }) => {
  for (const [name, limit_usd] of [
    ["Zebra", 1],
    ["ant", 3],
    ["Anteater", null],
  ] as const)
    await world.guardrail({ name, limit_usd });
  const names = async (query: { q?: string; sort?: "name" | "-limit_usd" }) =>
    (await api.call(listGuardrails, { query: { workspace_id: world.workspaceId, ...query } })).data.map(
      ({ name }) => name,
    );
  expect(await names({ sort: "name" })).toEqual(["ant", "Anteater", "Zebra"]);
  expect(await names({ sort: "-limit_usd" })).toEqual(["Anteater", "ant", "Zebra"]);
  expect(await names({ q: "ANT", sort: "name" })).toEqual(["ant", "Anteater"]);
  expect(await names({ q: unique("nothing") })).toEqual([]);
  const { metadata } = await api.refuse(listGuardrails, 400, { query: { sort: "revision" } });
  expect(metadata["issues"]).toEqual([expect.objectContaining({ path: ["sort"] })]);
});
