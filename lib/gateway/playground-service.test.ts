import { beforeAll, describe, expect, it } from "vitest";
import { NO_GRANTS } from "../platform/grants";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import { uuidv7 } from "../platform/ids";
import { grantsOf } from "../records/roles/grants";
import { createSandbox } from "../server/bootstrap";
import { failure } from "../testing/expect-failure";
import { createKey, createMember, createWorkspace, memberCaller } from "../testing/factories";
import { NOW, testWorld, type World } from "../testing/test-context";
import { PlaygroundBody } from "./playground-contract";
import * as playground from "./playground-service";

let world: World;

beforeAll(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
});

const fresh = (overrides: Partial<Context> = {}): Context => ({
  ...world.context,
  headers: new Headers(),
  ...overrides,
});

const memberContext = (userId: string): Context => fresh({ caller: memberCaller(world, userId) });

const CARD = "Charge 4242 4242 4242 4242";

function send(
  context: Context,
  key_hash: string,
  {
    content = "hello",
    guardrail_id = undefined as string | undefined,
    draft = undefined as PlaygroundBody["draft"],
    stream = false,
  } = {},
) {
  const request = { model: "sandbox/echo", stream, messages: [{ role: "user", content }] };
  const body = PlaygroundBody.parse({
    key_hash,
    request,
    ...(guardrail_id && { guardrail_id }),
    ...(draft && { draft }),
  });
  return playground.send(context, { params: {}, query: {}, body });
}

const recorded = ({ headers, db }: Context) =>
  db.generation.findFirstOrThrow({
    where: { id: headers.get("x-generation-id") ?? "" },
    include: { decisions: true, key: true },
  });

const createGuardrail = async (workspaceId = world.workspaceId): Promise<string> => {
  const { id } = await world.context.db.guardrail.create({
    data: {
      id: uuidv7(NOW),
      workspaceId,
      name: "Cards",
      contentFilterBuiltins: [{ slug: "credit-card", action: "block" }],
    },
  });
  return id;
};

describe("a request from the playground", () => {
  it("is recorded and charged like one of the key's, and names the member who sent it", async () => {
    const owner = await createMember(world);
    const key = await createKey(world, { creatorUserId: owner });
    const at = fresh();
    const answer = await send(at, key.hash);
    expect(answer).toMatchObject({ object: "chat.completion", model: "sandbox/echo" });
    expect(await recorded(at)).toMatchObject({
      keyId: key.id,
      userId: owner,
      sentByUserId: world.adminId,
      appTitle: "Signalbox Playground",
      apiType: "chat_completions",
      status: "succeeded",
    });
    const audited = await at.db.auditEvent.findMany({ where: { targetId: key.id } });
    expect(audited).toMatchObject([{ action: "key.use", actorType: "member", actorId: world.adminId }]);
    expect(JSON.stringify([answer, audited])).not.toContain(key.text);
  });

  it("is streamed", async () => {
    const at = fresh();
    const answer = await send(at, (await createKey(world)).hash, { stream: true });
    if (!(answer instanceof EventStream)) throw new Error("expected a stream");
    let text = "";
    for await (const bytes of answer.body) text += new TextDecoder().decode(bytes);
    expect(text).toContain("data: [DONE]");
    expect(await recorded(at)).toMatchObject({ streamed: true, sentByUserId: world.adminId });
  });

  it("is blocked by the key's guardrail, and recorded", async () => {
    const key = await createKey(world);
    const guardrailId = await createGuardrail();
    await world.context.db.guardrailKeyAssignment.create({
      data: { id: uuidv7(NOW), organizationId: world.organizationId, keyId: key.id, guardrailId, createdAt: NOW },
    });
    const at = fresh();
    expect((await failure(send(at, key.hash, { content: CARD }))).status).toBe(403);
    expect(await recorded(at)).toMatchObject({ status: "blocked", decisions: [{ action: "block", guardrailId }] });
  });

  it("is limited by the key's budget", async () => {
    const key = await createKey(world);
    await world.context.db.key.update({ where: { id: key.id }, data: { limitMicroUsd: 0n } });
    const at = fresh();
    expect((await failure(send(at, key.hash))).status).toBe(403);
    expect(await recorded(at)).toMatchObject({ status: "blocked", decisions: [{ field: "limit_usd" }] });
  });

  it("is limited by the key's own rate, whatever the session's", async () => {
    const key = await createKey(world);
    const settings = { ...world.context.settings, rateLimitPerMinute: 1 };
    await send(fresh({ settings }), key.hash);
    expect((await failure(send(fresh({ settings }), key.hash))).status).toBe(429);
  });
});

describe("a guardrail to try", () => {
  it("applies in addition, as if assigned to the key, with its revision in the record", async () => {
    const key = await createKey(world);
    const guardrail_id = await createGuardrail();
    const at = fresh();
    expect((await failure(send(at, key.hash, { content: CARD, guardrail_id }))).status).toBe(403);
    expect(await recorded(at)).toMatchObject({
      decisions: [{ scope: "key", guardrailId: guardrail_id, revision: 1 }],
      policyFacts: { layers: [{ scope: "key", guardrail_id, revision: 1 }] },
    });
    await send(fresh(), key.hash, { content: CARD });
  });

  it("must belong to the key's workspace", async () => {
    const guardrail_id = await createGuardrail(await createWorkspace(world));
    const error = await failure(send(fresh(), (await createKey(world)).hash, { guardrail_id }));
    expect(error).toMatchObject({ status: 400, metadata: { issues: [{ path: ["guardrail_id"] }] } });
  });

  it("is for admins", async () => {
    const userId = await createMember(world);
    const key = await createKey(world, { creatorUserId: userId });
    const guardrail_id = await createGuardrail();
    expect((await failure(send(memberContext(userId), key.hash, { guardrail_id }))).status).toBe(403);
  });
});

describe("a key", () => {
  it("may be used by the member who created it, and is unknown to others", async () => {
    const [userId, other] = await Promise.all([createMember(world), createMember(world)]);
    const key = await createKey(world, { creatorUserId: userId });
    expect(await send(memberContext(userId), key.hash)).toMatchObject({ object: "chat.completion" });
    expect((await failure(send(memberContext(other), key.hash))).status).toBe(404);
  });

  it("of another organization is unknown", async () => {
    const foreign = await createKey(await testWorld());
    expect((await failure(send(fresh(), foreign.hash))).status).toBe(404);
  });

  it.each([
    ["disabled", { disabled: true }, "is disabled or has expired"],
    ["expired", { expiresAt: NOW }, "is disabled or has expired"],
    ["for management", { kind: "management" as const }, "is a management key"],
  ])("that is %s is refused", async (_, data, message) => {
    const key = await createKey(world);
    await world.context.db.key.update({ where: { id: key.id }, data });
    const error = await failure(send(fresh(), key.hash));
    expect(error).toMatchObject({ status: 400, metadata: { issues: [{ path: ["key_hash"], message }] } });
  });

  it("can't use the playground itself", async () => {
    const key = await createKey(world);
    const { caller } = world.context;
    const asKey = fresh({
      caller: {
        kind: "key",
        keyKind: "inference",
        keyId: key.id,
        keyName: "Key",
        organizationId: caller.organizationId,
        workspaceId: caller.workspaceId,
        userId: caller.userId,
        limit: { limitMicroUsd: null, limitReset: null, includeByokInLimit: false },
        grants: NO_GRANTS,
      },
    });
    expect((await failure(send(asKey, key.hash))).status).toBe(403);
  });
});

const BLOCKS_CARDS = { content_filter_builtins: [{ slug: "credit-card" as const, action: "block" as const }] };

describe("an unsaved guardrail", () => {
  it("applies in addition, is recorded as a draft, and isn't stored", async () => {
    const key = await createKey(world);
    const before = await world.context.db.guardrail.count();
    const at = fresh();
    expect((await failure(send(at, key.hash, { content: CARD, draft: BLOCKS_CARDS }))).status).toBe(403);
    expect(await recorded(at)).toMatchObject({
      status: "blocked",
      decisions: [{ scope: "draft", guardrailId: null, action: "block" }],
      policyFacts: { layers: [], draft: true },
    });
    expect(await world.context.db.guardrail.count()).toBe(before);
  });

  it("never loosens the key's guardrails, also as a change of one of them", async () => {
    const key = await createKey(world);
    const guardrailId = await createGuardrail();
    await world.context.db.guardrailKeyAssignment.create({
      data: { id: uuidv7(NOW), organizationId: world.organizationId, keyId: key.id, guardrailId, createdAt: NOW },
    });
    const draft = { id: guardrailId, content_filter_builtins: null };
    expect((await failure(send(fresh(), key.hash, { content: CARD, draft }))).status).toBe(403);
  });

  it("has the fields of the stored guardrail that it changes", async () => {
    const key = await createKey(world);
    const draft = { id: await createGuardrail(), name: "Changed" };
    expect((await failure(send(fresh(), key.hash, { content: CARD, draft }))).status).toBe(403);
  });

  it("requires guardrails:write for an external check at an address that isn't stored", async () => {
    const key = await createKey(world);
    const grants = grantsOf([{ role: null, permissions: ["guardrails:read"], workspace: null }]);
    const draft = { external_checks: [{ name: "Check", url: "http://127.0.0.1:1/check" }] };
    const at = fresh({ caller: memberCaller(world, world.adminId, { grants }) });
    expect(await failure(send(at, key.hash, { draft }))).toMatchObject({
      status: 403,
      metadata: { permission: "guardrails:write" },
    });
  });

  it("is sent without its budget", async () => {
    const at = fresh();
    await send(at, (await createKey(world)).hash, { draft: { limit_usd: 0 } });
    expect(await recorded(at)).toMatchObject({ status: "succeeded", policyFacts: { draft: true } });
  });

  it("is refused with an invalid pattern, from another workspace, and for members", async () => {
    const key = await createKey(world);
    const draft = { content_filters: [{ pattern: "(", label: null, action: "block" as const }] };
    expect(playground.send.inspect({ draft }, world.context.settings)).toMatchObject([
      { path: ["draft", "content_filters", 0, "pattern"] },
    ]);
    const id = await createGuardrail(await createWorkspace(world));
    expect(await failure(send(fresh(), key.hash, { draft: { id } }))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["draft", "id"] }] },
    });
    const userId = await createMember(world);
    const own = await createKey(world, { creatorUserId: userId });
    expect((await failure(send(memberContext(userId), own.hash, { draft: {} }))).status).toBe(403);
  });
});
