import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { createKey, keyCaller } from "../../testing/factories";
import { failure } from "../../testing/expect-failure";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { GenerationContent } from "./contract";
import * as content from "./service";

const input = {
  messages: [
    { role: "system", content: "Answer ann@example.com" },
    { role: "user", content: "Who is [EMAIL]? Call +1 212 555 0123." },
  ],
};
const toolCalls = [
  { id: "call_1", type: "function", function: { name: "send", arguments: '{"to":"ann@example.com"}' } },
];
const error = {
  message: "No",
  status: 502,
  provider_name: "Acme",
  raw: "bad address bob@example.com",
  previous_errors: [{ code: 503, message: "busy with bob@example.com", provider_name: null, raw: null }],
};
const stored = { input, completion: "Ask bob@example.com", reasoning: "ann@example.com wrote", toolCalls, error };

const read = async (context: Context, id: string, query: { reveal?: "true" | "false"; reason?: string } = {}) =>
  GenerationContent.parse(
    (await content.get(context, { params: {}, query: { id, reveal: "false", ...query }, body: undefined })).data,
  );
const events = ({ context, organizationId }: World) =>
  context.db.auditEvent.findMany({ where: { organizationId }, orderBy: { createdAt: "asc" } });

async function decide({ context }: World, id: string, field: string, rule: string) {
  const { createdAt } = await context.db.generation.findFirstOrThrow({ where: { id } });
  await context.db.decision.create({
    data: { createdAt, generationId: id, position: 0, scope: "key", field, rule, action: "redact", spans: [] },
  });
}

describe("masking", () => {
  it("masks the kinds that a filter matched everywhere, and nothing else", async () => {
    const world = await testWorld();
    const id = await createGeneration(world, { content: stored });
    await decide(world, id, "content_filter_builtins", "email");
    const shown = await read(world.context, id);
    expect(JSON.stringify(shown)).not.toContain("@example.com");
    expect(shown).toMatchObject({
      input: { messages: [{ content: "Answer [EMAIL MASKED]" }, { content: "Who is [EMAIL]? Call +1 212 555 0123." }] },
      output: {
        completion: "Ask [EMAIL MASKED]",
        reasoning: "[EMAIL MASKED] wrote",
        tool_calls: [{ id: "call_1", function: { arguments: '{"to":"[EMAIL MASKED]"}' } }],
      },
      error: {
        ...error,
        raw: "bad address [EMAIL MASKED]",
        previous_errors: [{ message: "busy with [EMAIL MASKED]" }],
      },
      masked: [{ rule: "email", count: 6 }],
    });
  });

  it("masks nothing without a personal-data filter", async () => {
    const world = await testWorld();
    const id = await createGeneration(world, { content: stored });
    for (const [field, rule] of [
      ["content_filter_builtins", "regex-prompt-injection"],
      ["content_filters", "email"],
    ] as const) {
      await world.context.db.decision.deleteMany({ where: { generationId: id } });
      await decide(world, id, field, rule);
      const shown = await read(world.context, id);
      expect(shown).not.toHaveProperty("masked");
      expect(shown.output.completion).toBe("Ask bob@example.com");
    }
  });

  it("covers content stored before the key's guardrail got the filter", async () => {
    const world = await testWorld();
    const { context, workspaceId, organizationId } = world;
    const key = await createKey(world);
    const id = await createGeneration(world, { keyId: key.id, content: stored });
    expect((await read(context, id)).masked).toBeUndefined();
    const guardrail = await context.db.guardrail.create({
      data: {
        id: uuidv7(NOW),
        workspaceId,
        name: "Later",
        createdAt: NOW,
        contentFilterBuiltins: [{ slug: "phone", action: "block" }],
      },
    });
    await context.db.guardrailKeyAssignment.create({
      data: { id: uuidv7(NOW), organizationId, guardrailId: guardrail.id, keyId: key.id },
    });
    const shown = await read(context, id);
    expect(shown.masked).toEqual([{ rule: "phone", count: 1 }]);
    expect(shown.input.messages[1]?.content).toBe("Who is [EMAIL]? Call [PHONE MASKED].");
  });

  it("can be lifted with a reason, which is audited", async () => {
    const world = await testWorld();
    const id = await createGeneration(world, { content: stored });
    await decide(world, id, "content_filter_builtins", "email");
    const shown = await read(world.context, id, { reveal: "true", reason: "Ticket 4711" });
    expect(shown).toMatchObject({ output: { completion: "Ask bob@example.com" } });
    expect(shown).not.toHaveProperty("masked");
    expect(await events(world)).toMatchObject([
      {
        action: "generation.reveal_content",
        actorId: world.adminId,
        targetId: id,
        workspaceId: world.workspaceId,
        after: { reason: "Ticket 4711", revealed: ["email"] },
      },
    ]);
  });
});

describe("a content read", () => {
  it("is one event per actor, generation and hour, however frequent, also concurrently", async () => {
    const world = await testWorld();
    const { context } = world;
    const [id, other] = [
      await createGeneration(world, { content: {} }),
      await createGeneration(world, { content: {} }),
    ];
    const later = (minutes: number) => ({ ...context, now: new Date(NOW.getTime() + minutes * 60_000) });
    await Promise.all(Array.from({ length: 5 }, () => read(context, id)));
    await read(later(59), id);
    expect(await events(world)).toMatchObject([
      { action: "generation.read_content", actorId: world.adminId, targetId: id, after: { masked: [] } },
    ]);
    await read(later(60), id);
    await read(context, other);
    await read(
      { ...context, caller: keyCaller(world, (await createKey(world, { kind: "management" })).id, "management") },
      id,
    );
    expect(await events(world)).toHaveLength(4);
  });

  it("with another reason is another event", async () => {
    const world = await testWorld();
    const id = await createGeneration(world, { content: {} });
    for (const reason of ["One", "One", "Two"]) await read(world.context, id, { reveal: "true", reason });
    const reasons = (await events(world)).map(({ after }) => (after as { reason: string }).reason);
    expect(reasons.toSorted()).toEqual(["One", "Two"]);
  });

  it("without content is not an event", async () => {
    const world = await testWorld();
    const never = await createGeneration(world);
    expect(await failure(read(world.context, never))).toMatchObject({ status: 404 });
    expect(await events(world)).toEqual([]);
  });
});
