import { beforeEach, describe, expect, it } from "vitest";
import * as guardrails from "../guardrails/service";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { createResponse } from "../../gateway/service";
import type { Context } from "../../platform/context";
import { assignKeys } from "../../records/guardrails/assignment-changes-service";
import { createSandbox } from "../../server/bootstrap";
import { failure } from "../../testing/expect-failure";
import { createKey, keyCaller } from "../../testing/factories";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CreateGuardrailBody } from "../../records/guardrails/contract";
import { GenerationContent } from "./contract";
import * as content from "./service";

let world: World;
let caller: Context;

beforeEach(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
});

/** Sends a request under a guardrail and returns its generation's id. */
async function send(guardrail: object, input: unknown): Promise<string> {
  const key = await createKey(world);
  const body = CreateGuardrailBody.parse({ name: "Strict", ...guardrail });
  const { data } = await guardrails.create(world.context, { params: {}, query: {}, body });
  await assignKeys(world.context, {
    params: { id: data.id },
    query: { dry_run: "false" },
    body: { key_hashes: [key.hash] },
  });
  caller = { ...world.context, caller: keyCaller(world, key.id), headers: new Headers() };
  await createResponse(caller, {
    params: {},
    query: {},
    body: ResponsesBody.parse({ model: "sandbox/echo", input }),
  }).catch(() => undefined);
  return caller.headers.get("x-generation-id") ?? "";
}

const read = async (id: string, query: { reveal: "true" | "false"; reason?: string } = { reveal: "false" }) =>
  GenerationContent.parse(
    (await content.get(world.context, { params: {}, query: { id, ...query }, body: undefined })).data,
  );
const texts = ({ input }: GenerationContent) => input.messages.map((message) => message.content);
const revealed = { reveal: "true", reason: "False positive?" } as const;
const pattern = (action: string, text = "falcon", label = "[PROJECT]") => ({ pattern: text, label, action });

describe("a blocked prompt", () => {
  it("has labels in place of what a filter blocked, until it is revealed", async () => {
    const id = await send(
      { content_filters: [pattern("block")], content_filter_builtins: [{ slug: "email", action: "block" }] },
      "Feed the falcon, ask ann@example.com",
    );
    const masked = await read(id);
    expect(texts(masked)).toEqual(["Feed the [PROJECT], ask [EMAIL]"]);
    expect(masked.masked).toEqual(
      expect.arrayContaining([
        { rule: "[PROJECT]", count: 1 },
        { rule: "email", count: 1 },
      ]),
    );
    const open = await read(id, revealed);
    expect(texts(open)).toEqual(["Feed the falcon, ask ann@example.com"]);
    expect(open).not.toHaveProperty("masked");
    expect(
      await world.context.db.auditEvent.findMany({
        where: { organizationId: world.organizationId, action: "generation.reveal_content" },
      }),
    ).toMatchObject([{ targetId: id, after: { reason: "False positive?" } }]);
  });

  it("isn't found by the words that a filter blocked", async () => {
    const generationId = await send({ content_filters: [pattern("block")] }, "Feed the falcon");
    const row = await world.context.db.generationContent.findFirst({ where: { generationId } });
    expect(row?.searchText).not.toContain("falcon");
  });

  it("keeps labels forever if a filter was also to redact it", async () => {
    const id = await send(
      { content_filters: [pattern("block"), pattern("redact", "heron", "[BIRD]")] },
      "Feed the falcon and the heron",
    );
    expect(texts(await read(id, revealed))).toEqual(["Feed the [PROJECT] and the [BIRD]"]);
    expect(await read(id)).not.toHaveProperty("masked");
  });

  it("is stored as it would have been sent if its model or budget is denied", async () => {
    const id = await send({ allowed_models: ["other/model"], content_filters: [pattern("redact")] }, "Feed the falcon");
    expect(texts(await read(id))).toEqual(["Feed the [PROJECT]"]);
  });

  it("isn't stored without content logging", async () => {
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { contentLogging: false } });
    const id = await send({ content_filters: [pattern("block")] }, "Feed the falcon");
    expect(await failure(read(id))).toMatchObject({
      status: 404,
      metadata: { reason: "content_not_stored", cause: "content_logging_off" },
    });
  });

  it("isn't stored if it couldn't be scanned", async () => {
    const id = await send({ content_filters: [pattern("flag", "a")] }, "a ".repeat(60_000));
    expect(await failure(read(id))).toMatchObject({
      status: 404,
      metadata: { reason: "content_not_stored", cause: "not_scanned" },
    });
  });
});
