import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { failure } from "../../testing/expect-failure";
import { signed, unsigned } from "../../testing/saml-attacks";
import { readServiceMetadata, SamlProvider } from "../../testing/saml-provider";
import { begin, cookieOf, refusalOf, requestOf, type Connected } from "../../testing/sign-in-requests";
import { testWorld } from "../../testing/test-context";
import { findSession } from "../members/session-store";
import { CreateSignInConnectionBody } from "./contract";
import { generateKeyPair, type KeyPair } from "./saml-key-pair";
import * as saml from "./saml-service";
import { create, update } from "./service";
import { signOut } from "./sign-out-service";
import * as tests from "./tests-service";

let provider: SamlProvider;
let stranger: KeyPair;
beforeAll(async () => {
  [provider, stranger] = await Promise.all([SamlProvider.start(), generateKeyPair("Stranger", new Date())]);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.overrides = {};
});

const asInput = <Body>(id: string, query: object, body: Body) => ({ params: { id }, query: query as never, body });

/** A world with a connection that is on, set up from the provider's metadata and known to the provider by its own. */
async function connected(fields: object = {}): Promise<Connected> {
  const world = await testWorld({ now: new Date() });
  const domain = `${randomUUID()}.example`;
  const { data: settings } = await saml.readMetadata(world.context, {
    params: {},
    query: {},
    body: { metadata: await provider.metadata() },
  });
  const body = CreateSignInConnectionBody.parse({
    name: "Test",
    protocol: "saml",
    domains: [domain],
    saml: settings,
    ...fields,
  });
  const { data } = await create(world.context, { params: {}, query: {}, body });
  await world.context.db.signInConnection.update({
    where: { id: data.id },
    data: { enabled: true, testedAt: new Date() },
  });
  const own = await saml.metadata(world.context, asInput(data.id, {}, undefined));
  provider.service = readServiceMetadata(await new Response(own.body).text());
  provider.person = { ...provider.person, email: `Ada@${domain}`, groups: ["engineers"] };
  return { ...world, domain, connectionId: data.id };
}

interface Form {
  SAMLResponse: string;
  RelayState: string;
}

/** The form that the provider lets the browser post. */
async function formOf(url: string): Promise<Form> {
  const page = await (await fetch(url)).text();
  const field = (name: string) => new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(page)?.[1] ?? "";
  return { SAMLResponse: field("SAMLResponse"), RelayState: field("RelayState") };
}

/** Posts the form as a page of another site does: without cookies. Returns the query of the redirect. */
async function post({ context, connectionId }: Connected, form: Form) {
  const { location } = await saml.receive(requestOf(context), asInput(connectionId, {}, form));
  return Object.fromEntries(new URL(location, "http://signalbox.test").searchParams);
}

async function end(world: Connected, query: object, cookies: { flow: string | null; session?: string | null }) {
  const request = requestOf(world.context, cookies);
  const { location } = await saml.finish(request, asInput(world.connectionId, query, undefined));
  return { location, session: cookieOf("session", request) };
}

async function signIn(world: Connected, query: object = {}, session: string | null = null) {
  const { url, flow } = await begin(world, query, session);
  const form = await formOf(url);
  const answer = await post(world, form);
  return { ...(await end(world, answer, { flow, session })), form, answer, flow };
}

const base64 = (xml: string) => Buffer.from(xml).toString("base64");

/** The latest reasons in the audit log, which refusals reach in batches. */
const reasonsOf = async ({ context, organizationId }: Connected): Promise<string[]> =>
  (await context.db.auditEvent.findMany({ where: { organizationId, action: "session.reject" } })).map(
    ({ after }) => (after as { reason: string }).reason,
  );

describe("a sign-in by SAML", () => {
  it("creates a member with name and groups, and opens the page that they wanted", async () => {
    const world = await connected({ default_role: "org:analyst" });
    const { db } = world.context;
    const group = { id: randomUUID(), organizationId: world.organizationId, name: "E", claimValue: "engineers" };
    await db.group.create({ data: group });
    const { location, session } = await signIn(world, { return_to: "/keys?q=1" });
    expect(location).toBe("/keys?q=1");
    const found = await findSession(db, session ?? "", new Date());
    const id = found?.caller.userId ?? "";
    expect(await db.member.findUniqueOrThrow({ where: { id } })).toMatchObject({
      email: `ada@${world.domain}`,
      firstName: "Ada",
      lastName: "Lovelace",
      role: "analyst",
      passwordHash: null,
    });
    expect(await db.groupMember.findMany({ where: { memberId: id } })).toMatchObject([{ groupId: group.id }]);
    expect(await db.memberIdentity.findMany({ where: { memberId: id } })).toMatchObject([{ subject: "ada-1815" }]);
    expect(await db.samlAnswer.count({ where: { connectionId: world.connectionId } })).toBe(0);
  });

  it("ends only in the browser that began it, once", async () => {
    const world = await connected();
    const { url, flow } = await begin(world);
    const answer = await post(world, await formOf(url));
    for (const other of [null, (await begin(world)).flow])
      expect(await end(world, answer, { flow: other })).toEqual({ location: expect.anything(), session: null });
    expect(refusalOf((await end(world, answer, { flow })).location)).toBeNull();
    expect(refusalOf((await end(world, answer, { flow })).location)).toBe("lost");
  });

  it("refuses an answer to the request of another browser, even with this browser's relay state", async () => {
    const world = await connected();
    const [attacker, victim] = [await begin(world), await begin(world)];
    const { SAMLResponse } = await formOf(attacker.url);
    const RelayState = new URL(victim.url).searchParams.get("RelayState") ?? "";
    const answer = await post(world, { SAMLResponse, RelayState });
    const { location, session } = await end(world, answer, { flow: victim.flow });
    expect([refusalOf(location), session]).toEqual(["lost", null]);
    await expect.poll(() => reasonsOf(world)).toContainEqual(expect.stringContaining("answers the request"));
  });

  it("refuses an assertion that was posted before", async () => {
    const world = await connected();
    const { url, flow } = await begin(world);
    const form = await formOf(url);
    await post(world, form);
    const again = await post(world, form);
    expect(again).not.toHaveProperty("answer");
    expect(refusalOf((await end(world, again, { flow })).location)).toBe("lost");
    await expect.poll(() => reasonsOf(world)).toContainEqual(expect.stringContaining("was used before"));
  });

  it.each([
    ["another issuer", { issuer: "https://evil.example" }, "issuer of the response"],
    ["another audience", { audience: "https://other.example" }, "audience of the assertion"],
    ["another recipient", { recipient: "https://other.example" }, "recipient of the assertion"],
    ["no request", { inResponseTo: "_other" }, "answers the request"],
  ])("refuses %s, and says why in the audit log only", async (_name, overrides, reason) => {
    const world = await connected();
    provider.overrides = overrides;
    const { location, session, answer } = await signIn(world);
    expect([refusalOf(location), session]).toEqual([expect.stringMatching(/provider|lost/), null]);
    expect(JSON.stringify([location, answer])).not.toContain(reason);
    await expect.poll(() => reasonsOf(world)).toContainEqual(expect.stringContaining(reason));
  });

  it("begins a sign-in when a tile of the provider is clicked, but not again and again", async () => {
    const world = await connected();
    const unsolicited = async (RelayState: string) =>
      post(world, { SAMLResponse: base64(await provider.response()), RelayState });
    const first = await end(world, await unsolicited("/keys"), { flow: null });
    expect(first).toEqual({
      location: `/session/connections/${world.connectionId}/start?return_to=%2Fkeys`,
      session: null,
    });
    const { url, flow } = await begin(world);
    const state = new URL(url).searchParams.get("RelayState") ?? "";
    expect(refusalOf((await end(world, await unsolicited(state), { flow })).location)).toBe("lost");
    await expect.poll(() => reasonsOf(world)).toContainEqual(expect.stringContaining("answers no request"));
  });

  it("stores nothing of a response that isn't signed by the provider", async () => {
    const world = await connected();
    const xml = await provider.response({ inResponseTo: "_1" });
    const withSigns = xml.replaceAll("samlp:Response", `samlp:${"é".repeat(100)}`);
    const forged = [unsigned(xml), signed(unsigned(xml), "Assertion", stranger), "x", withSigns];
    const lengths = new Set<unknown>();
    for (const one of forged) {
      const answer = await post(world, { SAMLResponse: base64(one), RelayState: "s" });
      expect(answer).toEqual({ state: "s", problem: expect.any(String) });
      lengths.add(answer["problem"]?.length);
    }
    expect(lengths.size).toBe(1);
    expect(await world.context.db.samlAnswer.count({ where: { connectionId: world.connectionId } })).toBe(0);
  });

  it("refuses a response for another application, which is sent with that one's host", async () => {
    const world = await connected();
    const evil = `http://evil.test/session/connections/${world.connectionId}`;
    const context = { ...requestOf(world.context), origin: "http://evil.test" };
    const xml = await provider.response({
      inResponseTo: "_1",
      audience: `${evil}/metadata`,
      recipient: `${evil}/saml`,
      destination: `${evil}/saml`,
    });
    const form = { SAMLResponse: base64(xml), RelayState: "s" };
    expect((await saml.receive(context, asInput(world.connectionId, {}, form))).location).toContain("problem=");
    expect(refusalOf((await begin({ ...world, context })).url)).toBe("provider");
    expect((await signIn(world)).session).not.toBeNull();
  });

  it("begins at the configured address", async () => {
    const world = await connected();
    const origin = "https://signalbox.example";
    const settings = { ...world.context.settings, publicUrl: origin };
    const { url } = await begin({ ...world, context: { ...world.context, settings, origin } });
    expect(await requestXml(url)).toContain(`="${origin}/session/connections/${world.connectionId}/saml"`);
  });

  it("moves to another address while it is off, and then needs a test", async () => {
    const world = await connected();
    const context = { ...world.context, origin: "https://new.example" };
    const input = { params: { id: world.connectionId }, query: {} };
    const save = async (body: object) => (await update(context, { ...input, body })).data;
    expect((await save({ name: "Still here" })).addresses.start_url).toContain("http://signalbox.test/");
    expect(refusalOf((await begin({ ...world, context })).url)).toBe("provider");
    await expect.poll(() => reasonsOf(world)).toContainEqual(expect.stringContaining("SIGNALBOX_PUBLIC_URL"));
    expect((await save({ enabled: false })).tested_at).not.toBeNull();
    expect(await failure(save({ enabled: true }))).toMatchObject({ metadata: { reason: "test_required" } });
    const moved = await save({ name: "New" });
    expect(moved.addresses.start_url).toContain("https://new.example/");
    expect(moved.tested_at).toBeNull();
    await context.db.signInConnection.update({ where: { id: world.connectionId }, data: { testedAt: new Date() } });
    await save({ enabled: true });
    expect(refusalOf((await begin({ ...world, context })).url)).toBeNull();
  });

  it("keeps its test if the address is configured", async () => {
    const world = await connected();
    const settings = { ...world.context.settings, publicUrl: "https://signalbox.example" };
    const context = { ...world.context, settings, origin: "https://signalbox.example" };
    const input = { params: { id: world.connectionId }, query: {} };
    await update(context, { ...input, body: { enabled: false } });
    expect((await update(context, { ...input, body: { enabled: true } })).data.enabled).toBe(true);
  });

  it("accepts a certificate without lines", async () => {
    const world = await connected();
    const saml = { certificates: [provider.certificate.replaceAll("\n", "")] };
    const params = { id: world.connectionId };
    const { data } = await update(world.context, { params, query: {}, body: { saml } });
    expect(data.saml?.certificates).toEqual([provider.certificate]);
    expect((await signIn(world)).session).not.toBeNull();
  });

  it("refuses a response of the same provider for another connection", async () => {
    const first = await connected();
    const { url } = await begin(first);
    const form = await formOf(url);
    const second = await connected();
    const { flow } = await begin(second);
    expect(await post(second, form)).not.toHaveProperty("answer");
    expect((await end(second, { ...(await post(first, form)), state: form.RelayState }, { flow })).session).toBeNull();
  });

  it("accepts the provider's next key once its certificate was added", async () => {
    const world = await connected();
    const old = provider.certificate;
    await provider.rotate();
    expect((await signIn(world)).session).toBeNull();
    const certificates = [old, provider.certificate];
    const body = { saml: { certificates } };
    const { data } = await update(world.context, { params: { id: world.connectionId }, query: {}, body });
    expect(data).toMatchObject({ tested_at: null, saml: { certificates } });
    expect((await signIn(world)).session).not.toBeNull();
  });

  it("signs in a person for whom the provider sends a link instead of the groups", async () => {
    const world = await connected();
    const { url, flow } = await begin(world);
    const inResponseTo = /ID="([^"]+)"/.exec(await requestXml(url))?.[1] ?? "";
    const link = 'Name="http://schemas.microsoft.com/claims/groups.link"';
    const xml = unsigned(await provider.response({ inResponseTo })).replace('Name="groups"', link);
    const own = { privateKey: provider.responseOptions().key, certificate: provider.certificate };
    const RelayState = new URL(url).searchParams.get("RelayState") ?? "";
    const answer = await post(world, { SAMLResponse: base64(signed(xml, "Assertion", own)), RelayState });
    expect((await end(world, answer, { flow })).session).not.toBeNull();
  });

  it("confirms an identity only with a sign-in at the provider after the request", async () => {
    const world = await connected();
    const { session } = await signIn(world);
    const { url } = await begin(world, { confirm: "true" }, session);
    expect(url).toMatch(/^http.*SAMLRequest=/);
    const confirmed = await signIn(world, { confirm: "true" }, session);
    expect(confirmed.location).toBe("/sign-in/done?for=confirm");
    const later = await begin(world, { confirm: "true" }, session);
    const id = /ID="([^"]+)"/.exec(await requestXml(later.url))?.[1] ?? "";
    const xml = (await provider.response({ inResponseTo: id })).replace(
      /AuthnInstant="[^"]+"/,
      'AuthnInstant="2026-01-01T00:00:00Z"',
    );
    const own = { privateKey: provider.responseOptions().key, certificate: provider.certificate };
    const RelayState = new URL(later.url).searchParams.get("RelayState") ?? "";
    const answer = await post(world, { SAMLResponse: base64(signed(unsigned(xml), "Assertion", own)), RelayState });
    expect(refusalOf((await end(world, answer, { flow: later.flow, session })).location)).toBe("provider");
  });
});

async function requestXml(url: string): Promise<string> {
  const { inflateRawSync } = await import("node:zlib");
  return inflateRawSync(Buffer.from(new URL(url).searchParams.get("SAMLRequest") ?? "", "base64")).toString();
}

describe("a test sign-in by SAML", () => {
  async function tested(overrides: typeof provider.overrides) {
    const world = await connected();
    provider.overrides = overrides;
    const params = { id: world.connectionId };
    const { data } = await tests.start(world.context, { params, query: {}, body: undefined });
    const { location, session } = await signIn(world, { test: data.id });
    const input = { params: { ...params, test_id: data.id }, query: {}, body: undefined };
    return { world, location, session, outcome: (await tests.get(requestOf(world.context), input)).data };
  }

  it("shows the attributes, and signs nobody in", async () => {
    const { world, session, outcome } = await tested({});
    expect(session).toBeNull();
    expect(outcome).toMatchObject({
      status: "succeeded",
      join: "creates",
      person: { subject: "ada-1815", email: `ada@${world.domain}`, groups: ["engineers"] },
      claims: { email: `Ada@${world.domain}`, groups: "engineers" },
    });
  });

  it("shows what the provider got wrong", async () => {
    const { location, outcome } = await tested({ audience: "https://other.example" });
    expect(location).toBe("/sign-in/done?for=test&refusal=provider");
    expect(outcome).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^The audience of the assertion is "https:\/\/other.example", expected "http/),
    });
  });
});

describe("single logout", () => {
  const logOut = async ({ context, connectionId }: Connected, url: string) => {
    const { search, searchParams } = new URL(url);
    const request = { ...requestOf(context), search };
    const { location } = await saml.logOutByRedirect(
      request,
      asInput(connectionId, Object.fromEntries(searchParams), undefined),
    );
    return location;
  };
  const providerLogout = async () =>
    (await fetch(provider.sloUrl, { redirect: "manual" })).headers.get("location") ?? "";

  it("ends the session when the person signs out at the provider, once", async () => {
    const world = await connected();
    const { session } = await signIn(world);
    const request = await providerLogout();
    const answer = await logOut(world, request);
    expect(await findSession(world.context.db, session ?? "", new Date())).toBeNull();
    expect(await (await fetch(answer)).text()).toBe("signed out");
    expect(refusalOf(await logOut(world, request))).toBe("lost");
  });

  it("ends the session when a request is sent again after a failure", async () => {
    const world = await connected();
    const { session } = await signIn(world);
    const request = await providerLogout();
    const failing = { ...world, context: { ...world.context, requestId: "can't be stored: \0" } };
    await expect(logOut(failing, request)).rejects.toThrow();
    await logOut(world, request);
    expect(await findSession(world.context.db, session ?? "", new Date())).toBeNull();
  });

  it("isn't begun by anybody else", async () => {
    const world = await connected();
    const { session } = await signIn(world);
    const request = await providerLogout();
    expect(refusalOf(await logOut(world, request.replace(/Signature=.{5}/, "Signature=AAAAA")))).toBe("provider");
    const posted = asInput(world.connectionId, {}, { SAMLRequest: base64("<a/>") });
    expect(refusalOf((await saml.logOutByPost(requestOf(world.context), posted)).location)).toBe("provider");
    expect(await findSession(world.context.db, session ?? "", new Date())).not.toBeNull();
    await expect.poll(() => reasonsOf(world)).toContainEqual(expect.stringContaining("doesn't verify"));
  });

  it("continues at the provider after a sign-out at Signalbox, and comes back", async () => {
    const world = await connected();
    const { session } = await signIn(world);
    const caller = (await findSession(world.context.db, session ?? "", new Date()))?.caller as Context["caller"];
    const { sign_out_url } = await signOut({ ...requestOf(world.context), caller });
    const back = await fetch(sign_out_url ?? "", { redirect: "manual" });
    const location = back.headers.get("location") ?? "";
    expect(location).toContain(`/session/connections/${world.connectionId}/saml-logout?SAMLResponse=`);
    expect(await logOut(world, location)).toBe("/sign-in");
  });
});

describe("settings of SAML", () => {
  it("have a key for each connection, whose private part is encrypted and never returned", async () => {
    const [first, second] = [await connected(), await connected()];
    const row = await first.context.db.signInConnection.findUniqueOrThrow({ where: { id: first.connectionId } });
    const other = await first.context.db.signInConnection.findUniqueOrThrow({ where: { id: second.connectionId } });
    expect(row.spCertificate).not.toBe(other.spCertificate);
    expect(row.spKeyCiphertext).toMatch(/^v2\./);
  });

  it("report metadata and certificates that aren't accepted by field", async () => {
    const world = await connected();
    const body = { metadata: "<a/>" };
    expect(
      await failure((async () => saml.readMetadata(world.context, { params: {}, query: {}, body }))()),
    ).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["metadata"], message: expect.stringContaining("IDPSSODescriptor") }] },
    });
    const certificates = ["-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----"];
    expect(create.inspect({ protocol: "saml", saml: { certificates } }, world.context.settings)).toMatchObject([
      { path: ["saml", "certificates", 0], message: expect.stringContaining("isn't an X.509 certificate") },
    ]);
  });

  it("have metadata for SAML connections only", async () => {
    const world = await connected();
    const unknown = saml.metadata(world.context, asInput(randomUUID(), {}, undefined));
    expect(await failure(unknown)).toMatchObject({ status: 404 });
  });
});
