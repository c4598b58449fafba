import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHostileProvider, type HostileProvider, type Hostility } from "../../testing/hostile-provider";
import { begun, connected, end } from "../../testing/oidc-sign-in";
import { begin, refusalOf, requestOf, type Connected } from "../../testing/sign-in-requests";
import { update } from "./service";
import * as tests from "./tests-service";

let provider: HostileProvider;
beforeAll(async () => {
  provider = await startHostileProvider();
});
afterAll(() => provider.close());

const second = () => Math.floor(Date.now() / 1000);

/** Signs Ada in. */
async function signIn(
  world: Connected,
  { claims, ...hostility }: Hostility = {},
  query: object = {},
  session: string | null = null,
) {
  const { flow, callback } = await begun(world, query, session);
  provider.be({ ...hostility, claims: { email: `ada@${world.domain}`, ...claims } });
  return end(world, callback, { flow, session });
}

const row = ({ context, connectionId: id }: Connected) => context.db.signInConnection.findUnique({ where: { id } });

/** Changes the connection while the provider makes its answer. */
const meanwhile = (change: () => Promise<unknown>): Hostility => ({
  forge: async (claims) => {
    await change();
    return provider.sign(claims);
  },
});

describe("an identity counts as proved", () => {
  const proofOf = async ({ context, connectionId }: Connected) =>
    (await context.db.session.findFirstOrThrow({ where: { connectionId } })).authenticatedAt.getTime();

  it.each([
    ["since the time of the provider", { auth_time: 1_700_000_000 }, 1_700_000_000_000],
    ["never, if the provider sends no time", {}, 0],
    ["never, if it sends no time that there is", { auth_time: 1e300 }, 0],
  ])("%s", async (_, claims, expected) => {
    const world = await connected(provider.issuer);
    expect((await signIn(world, { claims })).session).not.toBeNull();
    expect(await proofOf(world)).toBe(expected);
  });

  it("since now, if the provider's clock is ahead", async () => {
    const world = await connected(provider.issuer);
    await signIn(world, { claims: { auth_time: second() + 50 } });
    expect(Math.abs((await proofOf(world)) - Date.now())).toBeLessThan(40_000);
  });

  it("after a confirmation for which the provider asked", async () => {
    const world = await connected(provider.issuer);
    const { session } = await signIn(world);
    const confirmed = async (claims: Record<string, unknown>) =>
      (await signIn(world, { claims }, { confirm: "true" }, session)).location;
    for (const claims of [{}, { auth_time: second() - 120 }, { auth_time: 1e300 }])
      expect(refusalOf(await confirmed(claims))).toBe("provider");
    expect(await proofOf(world)).toBe(0);
    const now = second();
    expect(await confirmed({ auth_time: now })).toBe("/sign-in/done?for=confirm");
    expect(await proofOf(world)).toBe(now * 1000);
  });
});

describe("a connection that changes during a sign-in", () => {
  const changes: [string, (world: Connected) => Promise<unknown>][] = [
    [
      "is turned off",
      ({ context, connectionId: id }) =>
        context.db.signInConnection.update({ where: { id }, data: { enabled: false } }),
    ],
    ["is deleted", ({ context, connectionId: id }) => context.db.signInConnection.delete({ where: { id } })],
    [
      "is pointed elsewhere",
      ({ context, connectionId: id }) =>
        context.db.signInConnection.update({ where: { id }, data: { issuer: "https://other.example" } }),
    ],
  ];

  it.each(changes)("signs nobody in if it %s", async (_, change) => {
    const world = await connected(provider.issuer);
    const { location, session } = await signIn(
      world,
      meanwhile(() => change(world)),
    );
    expect([refusalOf(location), session]).toEqual(["disabled", null]);
    expect(await world.context.db.member.count({ where: { email: `ada@${world.domain}` } })).toBe(0);
  });

  it.each(changes)("confirms nobody if it %s", async (_, change) => {
    const world = await connected(provider.issuer);
    const { session } = await signIn(world);
    const hostility = { ...meanwhile(() => change(world)), claims: { auth_time: second() } };
    const { location } = await signIn(world, hostility, { confirm: "true" }, session);
    expect(refusalOf(location)).toBe("disabled");
  });

  it("signs in by its new rules", async () => {
    const world = await connected(provider.issuer);
    const { db } = world.context;
    const stop = () =>
      db.signInConnection.update({ where: { id: world.connectionId }, data: { createsMembers: false } });
    expect(refusalOf((await signIn(world, meanwhile(stop))).location)).toBe("unknown_person");
  });
});

describe("a person with too many groups, for whom the provider sends a link instead", () => {
  const claims = { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://graph.example" } } };

  it("signs in if no group follows the provider", async () => {
    const world = await connected(provider.issuer);
    expect((await signIn(world, { claims })).session).not.toBeNull();
  });

  it("is refused if a group does, keeps it, and is shown in a test", async () => {
    const world = await connected(provider.issuer);
    const { context, organizationId, connectionId: id } = world;
    const groupId = randomUUID();
    await context.db.group.create({ data: { id: groupId, organizationId, name: "Admins", claimValue: "admins" } });
    await signIn(world, { claims: { groups: ["admins"] } });
    const { location, session } = await signIn(world, { claims });
    expect([refusalOf(location), session]).toEqual(["provider", null]);
    expect(await context.db.groupMember.count({ where: { groupId } })).toBe(1);
    const { data: test } = await tests.start(requestOf(context), { params: { id }, query: {}, body: undefined });
    await signIn(world, { claims }, { test: test.id });
    const input = { params: { id, test_id: test.id }, query: {}, body: undefined };
    expect((await tests.get(requestOf(context), input)).data).toMatchObject({
      status: "failed",
      error: expect.stringContaining("too many groups"),
      refusal: "provider",
      person: { subject: "ada", groups: [] },
    });
  });
});

it("counts a test only for settings from before it began", async () => {
  const world = await connected(provider.issuer);
  const { context, connectionId: id } = world;
  await context.db.signInConnection.update({ where: { id }, data: { testedAt: null } });
  const tested = async (change?: object) => {
    const { data } = await tests.start(requestOf(context), { params: { id }, query: {}, body: undefined });
    if (change) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await update(requestOf(context), { params: { id }, query: {}, body: change });
    }
    await signIn(world, {}, { test: data.id });
    return (await row(world))?.testedAt ?? null;
  };
  expect(await tested({ oidc: { scopes: ["openid"] } })).toBeNull();
  expect(await tested()).not.toBeNull();
});

it("accepts an issuer only as its discovery document spells it", async () => {
  const world = await connected(`${provider.issuer}/`);
  provider.be({});
  expect(refusalOf((await begin(world)).url)).toBe("provider");
});
