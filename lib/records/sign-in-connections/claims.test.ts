import { describe, expect, it } from "vitest";
import { claimAt, identityOf } from "./claims";

const NAMES = { email: "email", first_name: "given_name", last_name: "family_name", groups: "groups" };
const of = (claims: object, names: object = {}) => identityOf({ sub: "ada", ...claims }, { ...NAMES, ...names });

describe("identityOf", () => {
  it("reads the claims of the connection's names", () => {
    expect(
      of({ email: " Ada@Acme.com ", given_name: "Ada", family_name: "", groups: ["a", "b", "a", 1, ""], sid: "s" }),
    ).toMatchObject({
      subject: "ada",
      email: "ada@acme.com",
      firstName: "Ada",
      lastName: null,
      groups: ["a", "b"],
      providerSession: "s",
    });
  });

  it.each([
    [{ groups: "admins" }, ["admins"]],
    [{ groups: { admins: true } }, []],
    [{}, []],
  ])("reads groups of %j", (claims, expected) => {
    expect(of(claims).groups).toEqual(expected);
  });

  it.each([
    [{ email: 7 }, null],
    [{ email: [] }, null],
    [{ email: ["ada@acme.com"] }, "ada@acme.com"],
    [{ email: `${"a".repeat(300)}@acme.com` }, null],
  ])("reads the address of %j", (claims, expected) => {
    expect(of(claims).email).toBe(expected);
  });

  it.each([{ hasgroups: true }, { _claim_names: { groups: "src1" } }])(
    "knows no groups from a link instead of them: %j",
    (claims) => {
      expect(of(claims).groups).toBeNull();
    },
  );

  it("refuses more groups than it can follow", () => {
    const groups = Array.from({ length: 2001 }, (_, nth) => `group ${nth}`);
    expect(of({ groups: groups.slice(1) }).groups).toHaveLength(2000);
    expect(() => of({ groups })).toThrow("too many groups");
  });

  it("replaces characters that can't be stored, but not in the subject", () => {
    expect(of({ given_name: "A\0da" }).firstName).toBe("A\ufffdda");
    expect(() => identityOf({ sub: "a\0da" }, NAMES)).toThrow("can't be stored");
    expect(() => identityOf({ sub: "a".repeat(256) }, NAMES)).toThrow("can't be stored");
  });
});

it("finds a claim by its name before its path", () => {
  const claims = { "realm.roles": "name", realm: { roles: ["path"] } };
  expect(claimAt(claims, "realm.roles")).toBe("name");
  expect(claimAt({ realm: claims.realm }, "realm.roles")).toEqual(["path"]);
  expect(claimAt({ realm: "x" }, "realm.length")).toBeUndefined();
  expect(claimAt({}, "__proto__.toString")).toBeUndefined();
});
