import { beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../server/bootstrap";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import * as inference from "../../gateway/service";
import type { Context } from "../../platform/context";
import { EventStream } from "../../platform/http/event-stream";
import type { Permission } from "../../platform/permissions";
import { grantsOf } from "../../records/roles/grants";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember, createWorkspace, keyCaller, memberCaller } from "../../testing/factories";
import { guardKey } from "../../testing/guardrails";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { ReplayBody } from "./contract";
import { replay } from "./service";
import { explain } from "./why-service";

const filter = (pattern: string) => ({
  content_filters: [{ pattern, label: `[${pattern}]`, action: "flag" as const }],
});
const EDITOR: readonly Permission[] = ["guardrails:read", "generations:read"];

let world: World;
let key: { id: string; hash: string };
let guardrailId: string;
let generationId: string;
let elsewhere: string;
let userId: string;

beforeAll(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  key = await createKey(world);
  guardrailId = await guardKey(world, key, filter("XYZ-[0-9]+"));
  elsewhere = await createWorkspace(world);
  userId = await createMember(world);
  const context: Context = { ...world.context, headers: new Headers(), caller: keyCaller(world, key.id) };
  const body = ResponsesBody.parse({ model: "sandbox/echo", input: "The code is XYZ-1" });
  await inference.createResponse(context, { params: {}, query: {}, body });
  generationId = context.headers.get("x-generation-id") ?? "";
});

/** The context of a member with permissions for the organization, and others in another workspace. */
const having = (permissions: readonly string[], there: readonly string[] = []): Context => ({
  ...world.context,
  caller: memberCaller(world, userId, {
    grants: grantsOf([
      { role: null, permissions, workspace: null },
      { role: null, permissions: there, workspace: elsewhere },
    ]),
  }),
});

async function ask(context: Context, body: object) {
  const answer = await replay(context, { params: {}, query: {}, body: ReplayBody.parse(body) });
  if (answer instanceof EventStream) throw new Error("expected no stream");
  return answer.data;
}

const reads = () =>
  world.context.db.auditEvent.count({
    where: {
      organizationId: world.organizationId,
      action: { in: ["guardrail.replay", "generation.reevaluate"] },
    },
  });

describe("without contents:read in the workspace", () => {
  it.each([[[]], [["contents:read"]]])(
    "a replay reads no content for a new filter, with %j elsewhere",
    async (there) => {
      const context = having(EDITOR, there);
      const before = await reads();
      for (const pattern of ["XYZ-1", "XYZ-2"]) {
        const result = await ask(context, { guardrail: filter(pattern) });
        expect(result).toMatchObject({ evaluated: 0, obstacles: { content_not_permitted: 1 }, rows: [] });
      }
      expect(await reads()).toBe(before);
      expect(await ask(having([...EDITOR, "contents:read"]), { guardrail: filter("XYZ-1") })).toMatchObject({
        evaluated: 1,
        rows: [{ found: [{ start: 12 }] }],
      });
      expect(await reads()).toBe(before + 1);
    },
  );

  it("a replay evaluates filters that applied at the time from the record", async () => {
    const guardrail = {
      id: guardrailId,
      content_filters: [{ ...filter("XYZ-[0-9]+").content_filters[0], action: "block" }],
    };
    expect(await ask(having(EDITOR), { guardrail })).toMatchObject({ evaluated: 1, newly_blocked: 1, obstacles: {} });
  });

  it("a replay finds no words", async () => {
    const body = { guardrail: {}, selection: { filters: { q: "code" } } };
    const refused = { status: 403, metadata: { permission: "contents:read" } };
    expect(await failure(ask(having(EDITOR), body))).toMatchObject(refused);
    const streamed = having(EDITOR);
    const wanting = { ...streamed, client: { ...streamed.client, wantsEvents: true } };
    expect(await failure(ask(wanting, body))).toMatchObject(refused);
    expect(await failure(ask(having(EDITOR, ["contents:read", "generations:read"]), body))).toMatchObject(refused);
    expect(await ask(having([...EDITOR, "contents:read"]), body)).toMatchObject({ selected: 1 });
  });

  it("a re-evaluation under the current policy reads no content, and one that does is audited", async () => {
    const context = having(["generations:read"]);
    const other = await guardKey(world, key, filter("code"));
    const again = (at: Context) =>
      explain(at, { params: {}, query: { id: generationId, as_of: "now" }, body: undefined });
    const before = await reads();
    expect((await again(context)).data).toMatchObject({ verdict: null, obstacle: { code: "content_not_permitted" } });
    expect(await reads()).toBe(before);
    expect((await again(having(["generations:read", "contents:read", "guardrails:read"]))).data).toMatchObject({
      verdict: { decisions: expect.arrayContaining([expect.objectContaining({ guardrail_id: other })]) as unknown },
    });
    expect(await reads()).toBe(before + 1);
  });
});
