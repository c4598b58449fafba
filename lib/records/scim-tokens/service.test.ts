import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { failure } from "../../testing/expect-failure";
import { createKey } from "../../testing/factories";
import { NOW, testWorld } from "../../testing/test-context";
import { findKeyCaller } from "../keys/credentials-store";
import { findScimCaller } from "./credentials-store";
import * as tokens from "./service";

const create = (context: Context, name: string, expires_at: string | null = null) =>
  tokens.create(context, { params: {}, query: {}, body: { name, expires_at } });
const remove = (context: Context, id: string) => tokens.remove(context, { params: { id }, query: {}, body: undefined });
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

describe("a SCIM token", () => {
  it("is shown once, stored as a hash, and identifies its organization", async () => {
    const { context, organizationId } = await testWorld();
    const { data, token } = await create(context, "Okta");
    expect(token).toMatch(/^sb-scim-v1-[0-9A-Za-z]{48}$/);
    expect((await tokens.list(context)).data).toEqual([data]);
    expect(data.label).toBe(`${token.slice(0, 14)}...${token.slice(-4)}`);
    expect(JSON.stringify(await context.db.scimToken.findMany({ where: { organizationId } }))).not.toContain(token);
    const events = await context.db.auditEvent.findMany({ where: { organizationId } });
    expect(events).toMatchObject([{ action: "scim_token.create", targetName: "Okta" }]);
    expect(JSON.stringify(events)).not.toContain(token);
    expect(await findScimCaller(context.db, token, NOW)).toEqual({
      kind: "scim",
      tokenId: data.id,
      tokenName: "Okta",
      organizationId,
    });
  });

  it("isn't a key, and a key isn't a token", async () => {
    const world = await testWorld();
    const { db } = world.context;
    const { token } = await create(world.context, "Okta");
    expect(await findKeyCaller(db, token, NOW)).toBeNull();
    const { text } = await createKey(world, { kind: "management" });
    expect(await findScimCaller(db, text, NOW)).toBeNull();
  });

  it("ends when it is deleted or expires", async () => {
    const { context } = await testWorld();
    const { data, token } = await create(context, "Okta", at(60).toISOString());
    expect(await findScimCaller(context.db, token, at(59))).not.toBeNull();
    expect(await findScimCaller(context.db, token, at(60))).toBeNull();
    await remove(context, data.id);
    expect(await findScimCaller(context.db, token, NOW)).toBeNull();
    expect(await failure(create(context, "Late", NOW.toISOString()))).toMatchObject({ status: 400 });
  });

  it("records its last use to a minute", async () => {
    const { context } = await testWorld();
    const { token } = await create(context, "Okta");
    const lastUse = async () => (await tokens.getDirectory(context)).data.last_request_at;
    expect(await lastUse()).toBeNull();
    for (const [second, expected] of [
      [0, 0],
      [59, 0],
      [61, 61],
    ] as const) {
      await findScimCaller(context.db, token, at(second));
      expect(await lastUse()).toBe(at(expected).toISOString());
    }
  });

  it("is one of at most five of the own organization", async () => {
    const [{ context }, other] = [await testWorld(), await testWorld()];
    for (let count = 0; count < 5; count += 1) await create(context, `T${count}`);
    expect(await failure(create(context, "T5"))).toMatchObject({ status: 409 });
    const { data } = await create(other.context, "Theirs");
    expect(await failure(remove(context, data.id))).toMatchObject({ status: 404 });
    expect((await tokens.list(other.context)).data).toHaveLength(1);
  });
});

it("counts what directories have provisioned", async () => {
  const { context, organizationId } = await testWorld();
  const member = (deactivatedAt: Date | null, provisionedAt: Date | null = NOW) => ({
    id: `user_${uuidv7(NOW)}`,
    organizationId,
    email: `${uuidv7(NOW)}@example.com`,
    provisionedAt,
    deactivatedAt,
  });
  await context.db.member.createMany({ data: [member(null), member(null), member(NOW), member(NOW, null)] });
  await context.db.group.createMany({
    data: [
      { id: uuidv7(NOW), organizationId, name: "A", source: "scim" },
      { id: uuidv7(NOW), organizationId, name: "B" },
    ],
  });
  expect((await tokens.getDirectory(context)).data).toEqual({
    base_url: "http://signalbox.test/v1/scim/v2",
    last_request_at: null,
    members: { active: 2, deactivated: 1 },
    groups: 1,
  });
});
