import { beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../server/bootstrap";
import type { Context } from "../../platform/context";
import type { CreateGuardrailBody, GuardrailDraft } from "../../records/guardrails/contract";
import * as guardrails from "../guardrails/service";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { create as createMessage } from "../../gateway/messages-service";
import * as inference from "../../gateway/service";
import { createKey, keyCaller } from "../../testing/factories";
import { guardKey } from "../../testing/guardrails";
import { failure } from "../../testing/expect-failure";
import { TEST_SETTINGS } from "../../testing/context";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { readLimits } from "./batch-service";
import { explain } from "./why-service";
import { PolicyVerdict } from "./why-contract";

let world: World;
let key: { id: string; hash: string };

beforeAll(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  key = await createKey(world);
});

const guard = (fields: Partial<CreateGuardrailBody>) => guardKey(world, key, fields);
const change = (id: string, body: GuardrailDraft) =>
  guardrails.update(world.context, { params: { id }, query: {}, body });

async function send(content: string, protocol: "responses" | "messages" = "responses"): Promise<string> {
  const context: Context = { ...world.context, headers: new Headers(), caller: keyCaller(world, key.id) };
  const model = "sandbox/echo";
  const message = { model, max_tokens: 20, messages: [{ role: "user", content }] };
  const sent =
    protocol === "messages"
      ? createMessage(context, { params: {}, query: {}, body: MessagesBody.parse(message) })
      : inference.createResponse(context, {
          params: {},
          query: {},
          body: ResponsesBody.parse({ model, input: content }),
        });
  await sent.catch(() => undefined);
  return context.headers.get("x-generation-id") ?? "";
}

const ask = async (id: string, as_of: "then" | "now", at = world.context) =>
  PolicyVerdict.parse((await explain(at, { params: {}, query: { id, as_of }, body: undefined })).data);
const filter = (action: "block" | "redact") => ({
  content_filters: [{ pattern: "XYZ-[0-9]+", label: "[CODE]", action }],
});

const DECISIONS: readonly [outcome: string, text: string, fields: Partial<CreateGuardrailBody>][] = [
  ["blocked", "XYZ-1", filter("block")],
  ["redacted", "XYZ-1", filter("redact")],
  ["allowed", "Hello", filter("block")],
  ["no_endpoint", "Hello", { ignored_models: ["sandbox/echo"] }],
  ["budget_exhausted", "Hello", { limit_usd: 0 }],
];

describe("why", () => {
  it.each(
    (["responses", "messages"] as const).flatMap((protocol) =>
      DECISIONS.map((decision) => [protocol, ...decision] as const),
    ),
  )(
    "the original policy reproduces the decision about a request of %s: %s",
    async (protocol, outcome, input, fields) => {
      const id = await guard(fields);
      const verdict = await ask(await send(input, protocol), "then");
      expect(verdict).toMatchObject({
        recorded: { outcome },
        verdict: { outcome, decisions: verdict.recorded.decisions, message: verdict.recorded.message },
        obstacle: null,
        is_same: true,
        layers: [{ guardrail_id: id, revision: 1 }],
        changes: [],
      });
    },
  );

  it("the current policy reports the difference and the revisions that caused it", async () => {
    const id = await guard(filter("block"));
    const generation = await send("XYZ-1");
    expect(await ask(generation, "now")).toMatchObject({ is_same: true, changes: [] });
    await change(id, { description: "Renamed nothing" });
    await change(id, { content_filters: null });
    expect(await ask(generation, "now")).toMatchObject({
      recorded: { outcome: "blocked" },
      verdict: {
        outcome: "allowed",
        provider: "sandbox",
        candidates: [{ model: "sandbox/echo", provider: "sandbox", included: true, excluded_by: [] }],
      },
      is_same: false,
      changes: [
        {
          scope: "key",
          guardrail_id: id,
          from_revision: 1,
          to_revision: 3,
          revisions: [
            { revision: 3, changed_fields: ["content_filters"] },
            { revision: 2, changed_fields: ["description"] },
          ],
        },
      ],
    });
    expect(await ask(generation, "then")).toMatchObject({
      verdict: { outcome: "blocked" },
      is_same: true,
      changes: [],
    });
  });

  it("the current policy uses current budgets and reports added and removed guardrails", async () => {
    const gone = await guard({});
    const generation = await send("Hello");
    const came = await guard({ limit_usd: 0, name: "Broke" });
    const verdict = await ask(generation, "now");
    expect(verdict).toMatchObject({
      verdict: {
        outcome: "budget_exhausted",
        decisions: [{ field: "limit_usd", action: "block", guardrail_id: came }],
      },
      is_same: false,
    });
    expect(verdict.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ guardrail_id: gone, from_revision: 1, to_revision: null }),
        expect.objectContaining({ guardrail_id: came, from_revision: null, to_revision: 1, guardrail_name: "Broke" }),
      ]),
    );
  });

  it("reports when the decision can't be determined", async () => {
    const id = await guard({});
    const generation = await send("Hello");
    await world.context.db.generationContent.deleteMany({ where: { generationId: generation } });
    await change(id, filter("block"));
    expect(await ask(generation, "now")).toMatchObject({
      verdict: null,
      obstacle: { code: "content_expired" },
      is_same: false,
    });
    expect(await ask(generation, "then")).toMatchObject({ verdict: { outcome: "allowed" }, obstacle: null });
    await world.context.db.generation.updateMany({ where: { id: generation }, data: { policyFacts: {} } });
    expect(await ask(generation, "then")).toMatchObject({ verdict: null, obstacle: { code: "facts_not_kept" } });
  });

  it("answers 404 for a generation of another organization", async () => {
    const generation = await send("Hello");
    const { context } = await testWorld();
    expect(await failure(ask(generation, "now", context))).toMatchObject({ status: 404 });
    expect(await failure(ask("gen-1-x", "now"))).toMatchObject({ status: 404 });
  });
});

it("scans recorded texts for as long as a request may take, and for ten seconds at least", () => {
  const timeoutOf = (filterTimeoutMs: number) =>
    readLimits({ ...world.context, settings: { ...TEST_SETTINGS, filterTimeoutMs } }).timeoutMs;
  expect([5_000, 60_000].map(timeoutOf)).toEqual([10_000, 60_000]);
});
