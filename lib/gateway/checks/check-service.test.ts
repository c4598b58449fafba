import type { ServerResponse } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import type { CheckRequest } from "../../engine/checks/wire-contract";
import { check as checkPolicy } from "../../features/policy-check/service";
import { ApiError } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import type { ExternalCheck } from "../../engine/checks/contract";
import type { CreateGuardrailBody } from "../../records/guardrails/contract";
import { CHECK_TIMEOUT_MS } from "../../engine/checks/vocabulary";
import { signedHeaders } from "../../records/webhooks/signature";
import { createSandbox } from "../../server/bootstrap";
import { createKey, keyCaller } from "../../testing/factories";
import { guardKey } from "../../testing/guardrails";
import { answers, receiver } from "../../testing/receiver";
import { TEST_SETTINGS } from "../../testing/context";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CHECKED, expectReevaluated } from "../../testing/verdicts";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import * as inference from "../service";

const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

let world: World;

beforeAll(async () => {
  world = await testWorld({
    settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true },
  });
  await createSandbox(world.context.db, world.organizationId, NOW);
});

/** Creates a key under a guardrail. */
async function guarded(fields: Partial<CreateGuardrailBody>) {
  const key = await createKey(world);
  return { guardrailId: await guardKey(world, key, fields), key };
}

const contextOf = (key: { id: string }, overrides: Partial<Context> = {}): Context => ({
  ...world.context,
  headers: new Headers(),
  caller: keyCaller(world, key.id),
  ...overrides,
});

interface Sending {
  chat?: boolean;
  fields?: Partial<CreateGuardrailBody>;
  overrides?: Partial<Context>;
}

/** Sends a request of a protocol under the checks; returns its response or error, and its record. */
async function send(checks: ExternalCheck[], text: string, { chat = false, fields, overrides }: Sending = {}) {
  const { key, guardrailId } = await guarded({ external_checks: checks, ...fields });
  const context = contextOf(key, overrides);
  const sent = chat
    ? inference.createChatCompletion(context, {
        params: {},
        query: {},
        body: ChatCompletionsBody.parse({ model: "sandbox/echo", messages: [{ role: "user", content: text }] }),
      })
    : inference.createResponse(context, {
        params: {},
        query: {},
        body: ResponsesBody.parse({ model: "sandbox/echo", input: text }),
      });
  const outcome: unknown = await sent.catch((error: unknown) => error);
  const row = await world.context.db.generation.findFirstOrThrow({
    where: { id: context.headers.get("x-generation-id") ?? "" },
    include: { content: true, decisions: { orderBy: { position: "asc" } } },
  });
  return { outcome, error: outcome instanceof ApiError ? outcome : null, row, guardrailId };
}

const answering = (answer: unknown) => receiver((response) => answers(200, JSON.stringify(answer))(response));
const decisionsOf = ({ row }: Pick<Awaited<ReturnType<typeof send>>, "row">) =>
  row.decisions.map(({ field, rule, action, reason }) =>
    [field, rule, action, ...(reason === null ? [] : [reason])].join(" "),
  );

describe("an external check", () => {
  it("receives the texts, signed, and allows", async () => {
    const { url, received } = await answering({ action: "allow" });
    const { outcome, row } = await send([{ name: "policy", url, secret: SECRET }], "hello");
    expect(outcome).toMatchObject({ output_text: "You said: hello" });
    expect(row).toMatchObject({ status: "succeeded", decisions: [] });
    const [call] = received;
    const body = JSON.parse(call?.body ?? "") as CheckRequest;
    expect(body).toMatchObject({
      version: 1,
      check: "policy",
      type: "request",
      dry_run: false,
      generation_id: row.id,
      organization_id: world.organizationId,
      workspace_id: world.workspaceId,
      key_id: row.keyId,
      user_id: world.adminId,
      protocol: "responses",
      models: ["sandbox/echo"],
      texts: [{ path: ["input"], text: "hello", is_user: true }],
    });
    expect(call?.headers).toMatchObject(signedHeaders([SECRET], body.id, NOW, call?.body ?? ""));
  });

  it("of LiteLLM's format receives its body and key", async () => {
    const { url, received } = await answering({ action: "NONE" });
    const { row } = await send([{ name: "lite", url, format: "litellm", secret: "token-123" }], "hello", {
      chat: true,
    });
    expect(received[0]?.headers).toMatchObject({ authorization: "Bearer token-123", "x-api-key": "token-123" });
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      input_type: "request",
      texts: ["hello"],
      request_data: {
        user_api_key_hash: row.keyId,
        user_api_key_user_id: world.adminId,
        user_api_key_team_id: world.workspaceId,
        user_api_key_org_id: world.organizationId,
      },
      litellm_call_id: row.id,
      litellm_trace_id: null,
      additional_provider_specific_params: {},
    });
  });

  it.each([
    ["signalbox", false, { action: "block", reason: "too rude" }],
    ["signalbox", true, { action: "block", reason: "too rude" }],
    ["litellm", false, { action: "BLOCKED", blocked_reason: "too rude" }],
    ["litellm", true, { action: "BLOCKED", blocked_reason: "too rude" }],
  ] as const)("blocks: %s, chat %s", async (format, chat, answer) => {
    const { url } = await answering(answer);
    const { error, row, guardrailId } = await send([{ name: "tone", url, format }], "hello", { chat });
    expect(error).toMatchObject({
      status: 403,
      message: "Request blocked by external check: tone (too rude)",
      metadata: {
        blocked_by: [{ guardrail_id: guardrailId, field: "external_checks", rule: "tone", action: "block" }],
      },
    });
    expect(row).toMatchObject({
      status: "blocked",
      costMicroUsd: 0n,
      content: {
        input: { messages: [{ role: "user", content: "[BLOCKED]" }] },
        blockedInput: { messages: [{ role: "user", content: "hello" }] },
      },
    });
    expect(decisionsOf({ row })).toEqual(["external_checks tone block too rude"]);
  });

  it.each([
    ["signalbox", false, { action: "redact", texts: [{ index: 0, text: "hello [X]" }] }],
    ["litellm", true, { action: "GUARDRAIL_INTERVENED", texts: ["hello [X]"] }],
  ] as const)("redacts: %s, chat %s", async (format, chat, answer) => {
    const { url } = await answering(answer);
    const { outcome, row } = await send([{ name: "names", url, format }], "hello Ada", { chat });
    expect(JSON.stringify(outcome)).toContain("You said: hello [X]");
    expect(JSON.stringify(row.content)).not.toContain("Ada");
    expect(row.decisions).toMatchObject([
      {
        field: "external_checks",
        rule: "names",
        action: "redact",
        spans: [{ path: chat ? ["messages", 0, "content"] : ["input"], start: 6, end: 9 }],
      },
    ]);
  });

  it("reads the text as the content filters left it, and only when they let it through", async () => {
    const { url, received } = await answering({ action: "allow" });
    const filters = (action: "redact" | "block") => ({
      fields: { content_filters: [{ pattern: "falcon", label: "[P]", action }] },
    });
    await send([{ name: "c", url }], "project falcon", filters("redact"));
    await send([{ name: "c", url }], "project falcon", filters("block"));
    await send([{ name: "c", url }], "hello", { fields: { ignored_models: ["sandbox/echo"] } });
    expect(received.map(({ body }) => (JSON.parse(body) as CheckRequest).texts[0]?.text)).toEqual(["project [P]"]);
  });

  it.each<[string, object, string[]]>([
    ["allows", { action: "allow" }, []],
    ["would block", { action: "block", reason: "too rude" }, ["external_checks tone would_block too rude"]],
    ["would redact", { action: "redact", texts: [{ index: 0, text: "X" }] }, ["external_checks tone would_redact"]],
    [
      "gives no verdict",
      { action: "?" },
      [expect.stringMatching(/^external_checks tone would_block The response/) as string],
    ],
  ])("of a guardrail that observes %s: requests and responses pass", async (_, answer, expected) => {
    const { url, received } = await answering(answer);
    const { outcome, row } = await send([{ name: "tone", url, scope: "both" }], "hello", {
      fields: { mode: "observe" },
    });
    expect(outcome).toMatchObject({ output_text: "You said: hello" });
    expect(received).toHaveLength(2);
    expect(row.status).toBe("succeeded");
    expect(decisionsOf({ row })).toEqual([...expected, ...expected]);
  });

  it("runs before budgets are reserved", async () => {
    const { url, received } = await answering({ action: "block" });
    const { error } = await send([{ name: "c", url }], "hello", { fields: { limit_usd: 0 } });
    expect(error?.message).toBe("Request blocked by external check: c");
    expect(received).toHaveLength(1);
  });

  it("runs in parallel with others, and sees what an earlier one redacted when both change a text", async () => {
    const waiting: ServerResponse[] = [];
    const bothCalled = receiver((response) => {
      waiting.push(response);
      if (waiting.length < 2) return;
      for (const each of waiting) answers(200, JSON.stringify({ action: "allow" }))(each);
    });
    const { url } = await bothCalled;
    const parallel = await send(
      [
        { name: "one", url: `${url}?1` },
        { name: "two", url: `${url}?2` },
      ],
      "hello",
    );
    expect(parallel.row.status).toBe("succeeded");

    const ada = await answering({ action: "redact", texts: [{ index: 0, text: "[1] and Bob" }] });
    const bob = await receiver((response, nth) =>
      answers(
        200,
        JSON.stringify({ action: "redact", texts: [{ index: 0, text: nth === 1 ? "Ada and [2]" : "[1] and [2]" }] }),
      )(response),
    );
    const { outcome } = await send(
      [
        { name: "ada", url: ada.url },
        { name: "bob", url: bob.url },
      ],
      "Ada and Bob",
    );
    expect(outcome).toMatchObject({ output_text: "You said: [1] and [2]" });
    expect(bob.received.map(({ body }) => (JSON.parse(body) as CheckRequest).texts[0]?.text)).toEqual([
      "Ada and Bob",
      "[1] and Bob",
    ]);
  });
});

describe("a check without a verdict rejects the request", () => {
  const hang = () => undefined;
  const drip = (response: ServerResponse) => void response.writeHead(200).write('{"action":');
  it.each<[string, (response: ServerResponse) => unknown, RegExp, timeoutMs?: number]>([
    ["no answer", hang, /No response within 0\.3 s/, 300],
    ["half an answer", drip, /No response within 0\.3 s/, 300],
    ["an error", answers(500, "oops"), /The endpoint returned status 500/],
    ["a redirect", answers(302, "", { location: "http://127.0.0.1/" }), /redirects/],
    ["garbage", answers(200, "<html>"), /The response isn't valid JSON/],
    ["binary garbage", (response) => response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x00])), /UTF-8/],
    ["an unknown action", answers(200, '{"action":"fine"}'), /The response isn't valid: action/],
    ["10 MB", answers(200, `{"action":"allow","x":"${"x".repeat(10_000_000)}"}`), /longer than \d+ bytes/],
    ["a closed connection", (response) => response.destroy(), /closed the connection/],
  ])("%s", async (_, answer, reason, timeoutMs = CHECK_TIMEOUT_MS.max) => {
    const { url } = await receiver((response) => answer(response));
    const { error, row, guardrailId } = await send([{ name: "c", url, timeout_ms: timeoutMs }], "hello");
    expect(error).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
      metadata: {
        reason: "external_check_unavailable",
        unavailable: [{ guardrail_id: guardrailId, guardrail_name: "Guard", rule: "c", action: "error" }],
      },
    });
    expect(error?.message).toMatch(/^The request was not sent: no verdict from external check: c \(/);
    expect(error?.message).toMatch(reason);
    expect(row).toMatchObject({
      status: "failed",
      costMicroUsd: 0n,
      content: { input: { messages: [{ content: "[BLOCKED]" }] } },
      attempts: [],
    });
    expect(decisionsOf({ row })[0]).toMatch(/^external_checks c error /);
  });

  it("an address that this install doesn't allow", async () => {
    const settings = { ...world.context.settings, allowPrivateUpstreams: false };
    const { url, received } = await answering({ action: "allow" });
    const { error } = await send([{ name: "c", url }], "hello", { overrides: { settings } });
    expect(error?.message).toMatch(/must start with https/);
    expect(received).toEqual([]);
  });

  it("but a block of another check is a 403", async () => {
    const [down, blocks] = [await receiver(answers(500)), await answering({ action: "block" })];
    const { error, row } = await send(
      [
        { name: "down", url: down.url },
        { name: "strict", url: blocks.url },
      ],
      "hello",
    );
    expect(error).toMatchObject({ status: 403, message: "Request blocked by external check: strict" });
    expect(decisionsOf({ row })).toHaveLength(2);
  });

  it("and a client that disconnects meanwhile cancels the call", async () => {
    const client = new AbortController();
    const { url } = await receiver(() => client.abort());
    const { row } = await send([{ name: "c", url }], "hello", { overrides: { signal: client.signal } });
    expect(row).toMatchObject({ status: "cancelled", content: null });
  });
});

it.each(CHECKED)("the recorded verdict is re-evaluated without a call: %s", async (outcome, answer) => {
  const { url, received } = await answering(answer);
  const { row, guardrailId } = await send([{ name: "c", url }], "hello");
  await expectReevaluated(world.context, { id: row.id, guardrailId }, outcome, { name: "c", url: `${url}/new` });
  expect(received).toHaveLength(1);
});

describe("a policy check", () => {
  const request = { model: "sandbox/echo", input: "hello" };
  const dryRun = (body: object) =>
    checkPolicy(world.context, {
      params: {},
      query: {},
      body: { request, protocol: "responses", drafts_only: true, ...body },
    }).then(({ data }) => data);

  it("calls the endpoint of a draft as a dry run, with the draft's secret", async () => {
    const { url, received } = await answering({ action: "GUARDRAIL_INTERVENED", texts: ["bye"] });
    const checks = [{ name: "c", url, format: "litellm" as const, secret: "draft-secret" }];
    expect(await dryRun({ guardrails: [{ external_checks: checks }] })).toMatchObject({
      outcome: "redacted",
      request: { messages: [{ role: "user", content: "bye" }] },
      decisions: [{ scope: "draft", field: "external_checks", rule: "c", action: "redact" }],
    });
    expect(received[0]?.headers.authorization).toBe("Bearer draft-secret");
    const own = await answering({ action: "allow" });
    await dryRun({ guardrails: [{ external_checks: [{ name: "c", url: own.url }] }] });
    expect(JSON.parse(own.received[0]?.body ?? "")).toMatchObject({ dry_run: true, generation_id: null });
  });

  it("uses the stored secret of a stored guardrail with changes, but not for another origin", async () => {
    const { url, received } = await answering({ action: "NONE" });
    const check = { name: "c", url, format: "litellm" as const };
    const { guardrailId: id } = await guarded({ external_checks: [{ ...check, secret: "stored-secret" }] });
    await dryRun({ guardrails: [{ id, external_checks: [{ ...check, timeout_ms: 900 }] }] });
    expect(received[0]?.headers.authorization).toBe("Bearer stored-secret");
    const moved = { ...check, url: url.replace("127.0.0.1", "localhost") };
    await expect(dryRun({ guardrails: [{ id, external_checks: [moved] }] })).rejects.toMatchObject({ status: 400 });
    expect(received).toHaveLength(1);
  });

  it("with given verdicts calls nothing", async () => {
    const { url, received } = await answering({ action: "allow" });
    const draft = { guardrails: [{ external_checks: [{ name: "c", url }] }] };
    const outcomes = ["allow", "block", "redact", "unavailable"].map(async (verdict) => {
      const { outcome, message } = await dryRun({ ...draft, check_verdicts: { c: verdict } });
      return `${outcome}: ${message}`;
    });
    expect(await Promise.all(outcomes)).toEqual([
      "allowed: null",
      "blocked: Request blocked by external check: c",
      "redacted: null",
      "blocked: The request was not sent: no verdict from external check: c (Simulated by the policy test)",
    ]);
    expect(received).toEqual([]);
  });
});
