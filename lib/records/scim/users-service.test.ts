import { describe, expect, it } from "vitest";
import type { ScimContext } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { sha256 } from "../../platform/secrets";
import * as entra from "../../testing/entra-requests";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember } from "../../testing/factories";
import * as okta from "../../testing/okta-requests";
import { scimContext } from "../../testing/scim";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { findKeyCaller } from "../keys/credentials-store";
import * as members from "../members/service";
import { findSession } from "../members/session-store";
import type { ListQuery } from "./contract";
import * as users from "./users-service";

const address = (name = "grace") => `${name}_${uuidv7(NOW)}@example.com`;
const create = (context: ScimContext, body: Record<string, unknown>) =>
  users.create(context, { params: {}, query: {}, body });
const get = (context: ScimContext, id: string) => users.get(context, { params: { id }, query: {}, body: undefined });
const put = (context: ScimContext, id: string, body: Record<string, unknown>) =>
  users.replace(context, { params: { id }, query: {}, body });
const patch = (context: ScimContext, id: string, body: { Operations: { op: string }[] }) =>
  users.patch(context, { params: { id }, query: {}, body });
const remove = (context: ScimContext, id: string) =>
  users.remove(context, { params: { id }, query: {}, body: undefined });
const list = (context: ScimContext, query: Partial<ListQuery> = {}) =>
  users.list(context, { params: {}, query: { startIndex: 1, count: 100, ...query }, body: undefined });

async function open(): Promise<{ world: World; scim: ScimContext }> {
  const world = await testWorld();
  return { world, scim: scimContext(world) };
}

const actions = async ({ context, organizationId }: World) =>
  (await context.db.auditEvent.findMany({ where: { organizationId }, orderBy: { id: "asc" } })).map(
    ({ actorType, action }) => `${actorType} ${action}`,
  );

describe("provisioning a member", () => {
  it("creates one without a password, as Entra ID and Okta ask", async () => {
    const { world, scim } = await open();
    const [first, second] = [address(), address()];
    const created = await create(scim, entra.createUser(first));
    expect(created).toMatchObject({
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName: first,
      name: { givenName: "givenName", familyName: "familyName", formatted: "givenName familyName" },
      emails: [{ value: first, type: "work", primary: true }],
      active: true,
      groups: [],
      meta: { resourceType: "User", location: `http://signalbox.test/v1/scim/v2/Users/${created.id}` },
    });
    expect(scim.headers.get("location")).toBe(created.meta?.location);
    expect(scim.headers.get("etag")).toBe(created.meta?.version);
    expect(await create(scim, okta.createUser(second))).toMatchObject({ displayName: "Test User" });
    const row = await world.context.db.member.findUniqueOrThrow({ where: { id: created.id } });
    expect(row).toMatchObject({ role: "member", passwordHash: null, provisionedAt: NOW });
    expect(await actions(world)).toEqual(["scim_token member.create", "scim_token member.create"]);
  });

  it("refuses an address in use with uniqueness, also of a member that an admin added", async () => {
    const { world, scim } = await open();
    const { email, id } = await world.context.db.member.findUniqueOrThrow({ where: { id: await createMember(world) } });
    expect(await failure(create(scim, { userName: email.toUpperCase() }))).toEqual({
      status: 409,
      metadata: { scim_type: "uniqueness" },
    });
    const found = await list(scim, { filter: `userName eq "${email.toUpperCase()}"` });
    expect(found.Resources).toMatchObject([{ id, active: true }]);
    await patch(scim, id, { Operations: [{ op: "add", path: "externalId", value: "e1" } as never] });
    expect(
      (await members.get(world.context, { params: { user_id: id }, query: {}, body: undefined })).data,
    ).toMatchObject({
      external_id: "e1",
      is_provisioned: true,
    });
  });

  it("reports every problem of a body", async () => {
    const { scim } = await open();
    const { metadata } = await failure(
      create(scim, { userName: "x", active: "maybe", name: { givenName: "a".repeat(101) } }),
    );
    expect((metadata?.["issues"] as { path: string[] }[]).map(({ path }) => path.join("."))).toEqual([
      "userName",
      "name.givenName",
      "active",
    ]);
  });

  it("stores a display name only for a member without a name", async () => {
    const { scim } = await open();
    const { id, ...user } = await create(scim, { userName: address(), displayName: "Grace Hopper" });
    expect(user).toMatchObject({ displayName: "Grace Hopper", name: { givenName: "Grace Hopper" } });
    const named = await put(scim, id, { userName: user.userName, name: { givenName: "Grace" }, displayName: "Other" });
    expect(named.displayName).toBe("Grace");
  });

  it("changes the display name of a member without other names", async () => {
    const { scim } = await open();
    const userName = address();
    const { id } = await create(scim, { userName, displayName: "Grace Hopper" });
    const operation = (value: string) => ({ Operations: [{ op: "replace", path: "displayName", value } as never] });
    expect(await patch(scim, id, operation("Grace Murray"))).toMatchObject({ displayName: "Grace Murray" });
    expect(await put(scim, id, { userName, displayName: "Grace" })).toMatchObject({ displayName: "Grace" });
    expect(await put(scim, id, { userName, displayName: userName })).toMatchObject({ displayName: "Grace" });
    await put(scim, id, { userName, name: { givenName: "Grace", familyName: "Hopper" } });
    expect(await patch(scim, id, operation("Other"))).toMatchObject({ displayName: "Grace Hopper" });
  });

  it("accepts display names of any length and direction", async () => {
    const { scim } = await open();
    const name = { givenName: "\u200eGrace", familyName: "Hopper", formatted: "x".repeat(300) };
    expect(await create(scim, { userName: address(), name, displayName: "x".repeat(256) })).toMatchObject({
      displayName: "Grace Hopper",
    });
    const alone = await create(scim, { userName: address(), displayName: `\u200e${"x".repeat(99)}\u{1f600}` });
    expect(alone.displayName).toBe("x".repeat(99));
  });

  it("changes and keeps what PUT and PATCH say", async () => {
    const { world, scim } = await open();
    const email = address();
    const { id } = await create(scim, okta.createUser(email));
    expect(await put(scim, id, okta.updateUser(id, email))).toMatchObject({
      externalId: "00ujl29u0le5T6Aj10h7",
      name: { givenName: "Another", familyName: "User" },
    });
    expect(await patch(scim, id, entra.replaceWithoutPath)).toMatchObject({
      name: { givenName: "Kjeld", familyName: "Bjfe" },
      userName: email,
    });
    const before = await actions(world);
    await patch(scim, id, entra.replaceWithoutPath);
    await put(scim, id, { userName: email });
    expect(await actions(world)).toEqual(before);
  });

  it("ends open invitations when the address changes", async () => {
    const { world, scim } = await open();
    const { data } = await members.create(world.context, {
      params: {},
      query: {},
      body: { email: address(), role: "org:member" },
    });
    await put(scim, data.id, { userName: address("new") });
    expect(await world.context.db.invitation.count({ where: { memberId: data.id } })).toBe(0);
  });

  it("is conditional on the version", async () => {
    const { world, scim } = await open();
    const { id, meta } = await create(scim, { userName: address() });
    const version = Number(meta?.version?.replaceAll('"', ""));
    const stale = scimContext(world, { ifMatch: [version + 1] });
    const change = { userName: address("new") };
    for (const work of [() => put(stale, id, change), () => patch(stale, id, okta.deactivate), () => remove(stale, id)])
      expect(await failure(work())).toMatchObject({ status: 412 });
    const current = scimContext(world, { ifMatch: [version] });
    expect((await put(current, id, change)).meta?.version).not.toBe(meta?.version);
    expect(current.headers.get("etag")).not.toBe(meta?.version);
  });

  it("has another version in another group of the directory", async () => {
    const { world, scim } = await open();
    const { id, meta } = await create(scim, { userName: address() });
    const join = (name: string, source: "manual" | "scim") =>
      world.context.db.group.create({
        data: {
          id: uuidv7(NOW),
          organizationId: world.organizationId,
          name,
          source,
          members: { create: { memberId: id } },
        },
      });
    await join("By hand", "manual");
    expect((await get(scim, id)).meta?.version).toBe(meta?.version);
    await join("Platform", "scim");
    const { version } = (await get(scim, id)).meta ?? {};
    expect(version).not.toBe(meta?.version);
    expect((await list(scim, { filter: `id eq "${id}"` })).Resources[0]?.meta?.version).toBe(version);
    await users.get(scim, { params: { id }, query: { excludedAttributes: "groups" }, body: undefined });
    expect(scim.headers.get("etag")).toBe(version);
    const current = scimContext(world, { ifMatch: [Number(version?.replaceAll('"', ""))] });
    expect(await patch(current, id, okta.deactivate)).toMatchObject({ active: false });
  });
});

async function signedIn({ context }: World, memberId: string): Promise<string> {
  const token = uuidv7(NOW);
  await context.db.session.create({
    data: {
      id: uuidv7(NOW),
      tokenHash: sha256(token),
      memberId,
      lastSeenAt: NOW,
      expiresAt: new Date(NOW.getTime() + 60_000),
    },
  });
  return token;
}

describe("deactivation", () => {
  it("ends sessions and stops keys, and reactivation restores the keys", async () => {
    const { world, scim } = await open();
    const { db } = world.context;
    const { id } = await create(scim, okta.createUser(address()));
    const [key, disabled] = [
      await createKey(world, { creatorUserId: id }),
      await createKey(world, { creatorUserId: id }),
    ];
    await db.key.update({ where: { id: disabled.id }, data: { disabled: true } });
    const token = await signedIn(world, id);
    expect(await findSession(db, token, NOW)).not.toBeNull();
    expect(await findKeyCaller(db, key.text, NOW)).toMatchObject({ keyId: key.id });
    expect(await patch(scim, id, entra.disableWithText)).toMatchObject({ active: false });
    await expect.poll(() => findKeyCaller(db, key.text, NOW)).toBeNull();
    await expect.poll(() => findSession(db, token, NOW)).toBeNull();
    expect(await db.key.findUniqueOrThrow({ where: { id: key.id } })).toMatchObject({ disabled: false });
    expect(await patch(scim, id, okta.activate)).toMatchObject({ active: true });
    await expect.poll(() => findKeyCaller(db, key.text, NOW)).toMatchObject({ keyId: key.id });
    expect(await findKeyCaller(db, disabled.text, NOW)).toBeNull();
    expect(await actions(world)).toEqual(
      ["create", "deactivate", "activate"].map((verb) => `scim_token member.${verb}`),
    );
  });

  it("leaves a stored name that would be refused", async () => {
    const { world, scim } = await open();
    const { db } = world.context;
    const id = await createMember(world);
    const firstName = "\u200fGrace";
    await db.member.update({ where: { id }, data: { firstName, externalId: "e".repeat(300) } });
    expect(await patch(scim, id, okta.deactivate)).toMatchObject({ active: false });
    await patch(scim, id, { Operations: [{ op: "replace", path: "name.familyName", value: "Hopper" } as never] });
    expect(await db.member.findUniqueOrThrow({ where: { id } })).toMatchObject({ firstName, lastName: "Hopper" });
  });

  it("of the last owner is refused, and of another member not", async () => {
    const { world, scim } = await open();
    expect(await failure(patch(scim, world.adminId, okta.deactivate))).toMatchObject({ status: 409 });
    expect(await failure(remove(scim, world.adminId))).toMatchObject({ status: 409 });
    const other = await createMember(world, "admin");
    expect(await patch(scim, other, okta.deactivate)).toMatchObject({ active: false });
    // A deactivated admin isn't a remaining one.
    expect(await failure(patch(scim, world.adminId, okta.deactivate))).toMatchObject({ status: 409 });
  });

  it("by hand is refused while a directory is connected", async () => {
    const { world, scim } = await open();
    const { context, organizationId } = world;
    const { id } = await create(scim, okta.createUser(address()));
    const update = (user_id: string, active: boolean) =>
      members.update(context, { params: { user_id }, query: {}, body: { active } });
    await context.db.scimToken.create({
      data: { id: uuidv7(NOW), organizationId, hash: uuidv7(NOW), label: "x", name: "Okta" },
    });
    expect(await failure(update(id, false))).toMatchObject({ status: 409 });
    expect(await failure(update(world.adminId, false))).toMatchObject({ status: 409 });
    await context.db.scimToken.updateMany({ where: { organizationId }, data: { expiresAt: NOW } });
    expect((await update(id, false)).data.status).toBe("deactivated");
    expect((await update(id, true)).data.status).toBe("invited");
    const byHand = await createMember(world);
    expect((await update(byHand, false)).data).toMatchObject({ status: "deactivated", is_provisioned: false });
  });

  it("of a removed member removes them like an admin would", async () => {
    const { world, scim } = await open();
    const { id } = await create(scim, okta.createUser(address()));
    const key = await createKey(world, { creatorUserId: id });
    await remove(scim, id);
    expect(await failure(get(scim, id))).toMatchObject({ status: 404 });
    expect(await world.context.db.key.findUniqueOrThrow({ where: { id: key.id } })).toMatchObject({ disabled: true });
    expect(await actions(world)).toEqual(
      ["member.create", "member.delete", "key.update"].map((action) => `scim_token ${action}`),
    );
  });
});

describe("finding members", () => {
  it("matches filters", async () => {
    const { world, scim } = await open();
    const tag = uuidv7(NOW);
    const named = (name: string) => `${name}_${tag}@example.com`;
    const grace = await create(scim, {
      userName: named("grace"),
      externalId: "E1",
      name: { givenName: "Grace", familyName: "Hopper" },
    });
    const ada = await create(scim, { userName: named("ada"), displayName: "Ada", active: false });
    const odd = await create(scim, { userName: `x100%${named("odd")}` });
    const group = await world.context.db.group.create({
      data: {
        id: uuidv7(NOW),
        organizationId: world.organizationId,
        name: "G",
        source: "scim",
        members: { create: { memberId: grace.id } },
      },
    });
    const byHand = uuidv7(NOW);
    await world.context.db.group.create({
      data: {
        id: byHand,
        organizationId: world.organizationId,
        name: "By hand",
        members: { create: { memberId: ada.id } },
      },
    });
    const later = scimContext(world, { now: new Date(NOW.getTime() + 1000) });
    await patch(later, ada.id, { Operations: [{ op: "add", path: "externalId", value: "e2" } as never] });
    const [g, a, o] = ["grace", "ada", "odd"];
    const table: [filter: string, found: (string | undefined)[]][] = [
      [`userName eq "${named("GRACE").toUpperCase()}"`, [g]],
      [`userName eq "${named("grace").replace("_", "X")}"`, []],
      [`USERNAME Eq "${named("grace")}" And active eq true`, [g]],
      [`urn:ietf:params:scim:schemas:core:2.0:User:userName sw "grace"`, [g]],
      ['userName co "100%"', [o]],
      ['userName co "1%0"', []],
      ['externalId eq "E1"', [g]],
      ['externalId eq "e1"', []],
      ['externalId ne "E1"', [a, o]],
      ["not (externalId pr)", [o]],
      ["externalId eq null", [o]],
      ["active eq false", [a]],
      ["active ne false", [g, o]],
      ['name.familyName eq "hopper"', [g]],
      ['not (name.familyName eq "hopper")', [a, o]],
      ['name.givenName sw "A" or name.familyName ew "per"', [g, a]],
      ["name pr", [g, a]],
      ['displayName eq "grace hopper"', [g]],
      ['displayName eq "Ada"', [a]],
      [`displayName eq "x100%${named("odd")}"`, [o]],
      ['displayName ne "Ada"', [g, o]],
      [`emails[type eq "work" and value co "${named("ada")}"]`, [a]],
      [`emails[type eq "work"].value eq "${named("ada")}"`, [a]],
      [`emails[type eq "home"].value eq "${named("ada")}"`, []],
      ["emails[primary eq true]", [g, a, o]],
      [`id eq "${grace.id}"`, [g]],
      [`groups.value eq "${group.id}"`, [g]],
      [`not (groups eq "${group.id}")`, [a, o]],
      ['groups eq "nonsense"', []],
      ["groups pr", [g]],
      [`groups.value eq "${byHand}"`, []],
      [`groups.value ne "${byHand}"`, [g, a, o]],
      [`meta.lastModified gt "${NOW.toISOString()}"`, [a]],
      [`meta.lastModified le "${NOW.toISOString()}"`, [g, o]],
      [`meta.created ge "${NOW.toISOString()}" and not (active eq false)`, [g, o]],
    ];
    const names = new Map([
      [grace.id, g],
      [ada.id, a],
      [odd.id, o],
    ]);
    for (const [filter, found] of table) {
      const { Resources } = await list(scim, { filter });
      expect(Resources.flatMap(({ id }) => names.get(id) ?? []).sort(), filter).toEqual([...found].sort());
    }
    expect((await get(scim, grace.id)).groups).toMatchObject([{ value: group.id, display: "G", type: "direct" }]);
  });

  it("pages through all, with places from 1", async () => {
    const { scim } = await open();
    for (let count = 0; count < 4; count += 1) await create(scim, { userName: address() });
    const page = async (startIndex: number, count: number) => {
      const { Resources, ...rest } = await list(scim, { startIndex, count });
      return { ...rest, ids: Resources.map(({ id }) => id) };
    };
    const all = await page(1, 100);
    expect(all).toMatchObject({ totalResults: 5, startIndex: 1, itemsPerPage: 5 });
    expect(await page(-3, 2)).toMatchObject({ startIndex: 1, ids: all.ids.slice(0, 2) });
    expect(await page(4, 2)).toMatchObject({ startIndex: 4, itemsPerPage: 2, ids: all.ids.slice(3) });
    expect(await page(9, 2)).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
    expect(await page(1, 0)).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
    const { Resources } = await list(scim, { attributes: "userName" });
    expect(Object.keys(Resources[0] ?? {}).sort()).toEqual(["id", "schemas", "userName"]);
  });

  it("finds nothing of another organization", async () => {
    const [{ scim }, other] = [await open(), await open()];
    const { id } = await create(other.scim, { userName: address() });
    const theirs = { status: 404 };
    expect(await failure(get(scim, id))).toMatchObject(theirs);
    expect(await failure(put(scim, id, { userName: address() }))).toMatchObject(theirs);
    expect(await failure(patch(scim, id, okta.deactivate))).toMatchObject(theirs);
    expect(await failure(remove(scim, id))).toMatchObject(theirs);
    expect((await list(scim, { filter: `id eq "${id}"` })).totalResults).toBe(0);
  });
});
