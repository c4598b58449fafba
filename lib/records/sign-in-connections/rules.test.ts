import { describe, expect, it } from "vitest";
import type { VerifiedIdentity } from "./identity";
import {
  changesProvider,
  changesTested,
  domainOf,
  groupChanges,
  isComplete,
  joinOf,
  sessionEnd,
  signedInAt,
  type Join,
} from "./rules";

const NOW = new Date("2026-11-20T10:00:00.000Z");
const RULES = {
  name: "Okta",
  issuer: "https://acme.okta.com",
  domains: ["acme.com"],
  createsMembers: true,
  trustEmail: true,
  organizationId: "acme",
};
const ADA: VerifiedIdentity = {
  subject: "ada",
  email: "ada@acme.com",
  firstName: "Ada",
  lastName: null,
  groups: [],
  providerSession: null,
  sessionEndsAt: null,
  claims: { sub: "ada" },
};
const member = (id = "m", organizationId = "acme", deactivatedAt: Date | null = null) => ({
  id,
  organizationId,
  deactivatedAt,
});
type M = ReturnType<typeof member>;
const outcome = (join: Join<M>) => (join.kind === "refused" ? join.refusal : join.kind);

describe("joinOf", () => {
  const google = { issuer: "https://accounts.google.com" };
  it.each<[string, string, object, Partial<VerifiedIdentity>, M | null, M | null]>([
    ["a linked member", "signs_in", {}, {}, member(), null],
    ["a linked member with another address", "signs_in", {}, { email: "ada@other.example" }, member(), member("other")],
    ["a linked member without an address", "signs_in", {}, { email: null }, member(), null],
    ["a linked, deactivated member", "deactivated", {}, {}, member("m", "acme", NOW), null],
    ["a member with the address", "links", {}, {}, null, member()],
    ["a member if addresses aren't trusted", "address_in_use", { trustEmail: false }, {}, null, member()],
    ["a member of another organization", "address_in_use", {}, {}, null, member("m", "other")],
    ["a deactivated member with the address", "deactivated", {}, {}, null, member("m", "acme", NOW)],
    [
      "a member with an unverified address",
      "unverified_email",
      {},
      { claims: { email_verified: false } },
      null,
      member(),
    ],
    [
      "a member with an unverified address as text",
      "unverified_email",
      {},
      { claims: { email_verified: "false" } },
      null,
      member(),
    ],
    ["a member with a verified address", "links", {}, { claims: { email_verified: true } }, null, member()],
    ["a new person", "creates", {}, {}, null, null],
    [
      "a new person with an unverified address",
      "unverified_email",
      {},
      { claims: { email_verified: false } },
      null,
      null,
    ],
    ["a new person if none are created", "unknown_person", { createsMembers: false }, {}, null, null],
    ["a person of another domain", "other_domain", {}, { email: "ada@acme.com.evil.example" }, null, member()],
    ["a person of a subdomain", "other_domain", {}, { email: "ada@sub.acme.com" }, null, null],
    ["a person without an address", "no_email", {}, { email: null }, null, null],
    ["a person with half an address", "no_email", {}, { email: "@acme.com" }, null, null],
    ["two at signs", "no_email", {}, { email: "ada@evil.example@acme.com" }, null, null],
    ["a managed Google account", "creates", google, { claims: { hd: "acme.com" } }, null, null],
    ["a Google account of anybody", "other_domain", google, { claims: { email_verified: true } }, null, member()],
    ["a linked Google account that has left", "other_domain", google, {}, member(), null],
    ...["https://accounts.google.com/", "https://ACCOUNTS.google.com", "http://accounts.google.com:443"].map(
      (issuer): [string, string, object, object, M | null, M | null] => [
        `a Google account of anybody, at ${issuer}`,
        "other_domain",
        { issuer },
        {},
        null,
        member(),
      ],
    ),
  ])("%s: %s", (_, expected, rules, identity, known, sameAddress) => {
    expect(outcome(joinOf({ ...RULES, ...rules }, { ...ADA, ...identity }, known, sameAddress))).toBe(expected);
  });
});

it("finds the domain after the last at sign", () => {
  expect(domainOf("Ada@ACME.com")).toBe("acme.com");
});

describe("a session ends", () => {
  const inHours = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
  it.each<[string, Date | null, number | null, Date | null]>([
    ["as usual", null, null, null],
    ["with the provider's", inHours(2), null, inHours(2)],
    ["after the connection's longest", null, 8, inHours(8)],
    ["with the earlier of both", inHours(9), 8, inHours(8)],
    ["with the earlier of both, which is the provider's", inHours(2), 8, inHours(2)],
  ])("%s", (_, sessionEndsAt, hours, expected) => {
    expect(sessionEnd({ sessionEndsAt }, hours, NOW)).toEqual(expected);
  });
});

it("joins the claimed groups, leaves the others, and ignores groups without a claim value", () => {
  const group = (id: string, claimValue: string | null) => ({ id, name: id, claimValue });
  const groups = [group("a", "A"), group("b", "B"), group("c", "C"), group("none", null)];
  const { joined, left } = groupChanges(groups, new Set(["b", "c"]), ["A", "C", "unknown"]);
  expect([joined.map(({ id }) => id), left.map(({ id }) => id)]).toEqual([["a"], ["b"]]);
});

describe("a change", () => {
  const before = {
    issuer: "https://a.example",
    idpEntityId: null,
    clientId: "x",
    scopes: ["openid"],
    claimNames: { email: "email", groups: "groups" },
    trustEmail: true,
  };
  it.each<[Record<string, unknown>, boolean, boolean]>([
    [{}, false, false],
    [{ issuer: "https://a.example", scopes: ["openid"] }, false, false],
    [{ issuer: "https://b.example" }, true, true],
    [{ clientId: "y" }, true, false],
    [{ claimNames: { groups: "groups", email: "email" } }, false, false],
    [{ claimNames: { groups: "roles", email: "email" } }, true, false],
    [{ scopes: ["openid", "groups"] }, true, false],
    [{ clientSecretCiphertext: "v2.new" }, true, false],
    [{ trustEmail: false }, false, false],
    [{ idpEntityId: "urn:idp" }, true, true],
  ])("%j needs a test: %s, means another provider: %s", (change, needsTest, isOther) => {
    expect(changesTested(before, change)).toBe(needsTest);
    expect(changesProvider(before, change)).toBe(isOther);
  });
});

it.each([
  [{ protocol: "oidc", issuer: "https://a.example", clientId: "x" }, true],
  [{ protocol: "oidc", issuer: "https://a.example" }, false],
  [{ protocol: "saml", idpEntityId: "urn:a", ssoUrl: "https://a.example", certificates: ["x"] }, true],
  [{ protocol: "saml", idpEntityId: "urn:a", ssoUrl: "https://a.example" }, false],
] as const)("settings %j are complete: %s", (settings, expected) => {
  const nothing = { issuer: null, clientId: null, idpEntityId: null, ssoUrl: null, certificates: [] };
  expect(isComplete({ ...nothing, ...settings })).toBe(expected);
});

it.each([
  ["when the provider says", "https://acme.okta.com", 1_700_000_000, new Date(1_700_000_000_000)],
  ["at no known time, if it doesn't say", "https://acme.okta.com", undefined, null],
  ["at no known time, if there is no such time", "https://acme.okta.com", 1e300, null],
  ["at the end of a sign-in with Google, which never says", "https://accounts.google.com", undefined, NOW],
])("a person signed in %s", (_, issuer, authTime, time) => {
  expect(signedInAt({ issuer }, authTime, NOW)).toEqual(time);
});
