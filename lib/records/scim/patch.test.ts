import { describe, expect, it } from "vitest";
import * as entra from "../../testing/entra-requests";
import * as okta from "../../testing/okta-requests";
import { changedGroupFields, membersChange } from "./group-fields";
import { changedAttributes, stepsOfPatch, type PatchOperation } from "./patch";
import { changedUserFields } from "./user-fields";
import { MAX_PATH_LENGTH } from "./vocabulary";

const fieldsAfter = (operations: readonly PatchOperation[]) =>
  changedUserFields(changedAttributes(stepsOfPatch("User", operations)));

const replace = (path: string, value: unknown): PatchOperation[] => [{ op: "replace", path, value }];

describe("a patch of a user", () => {
  it.each<[what: string, operations: readonly PatchOperation[], changed: object]>([
    ["Entra ID: values by path", entra.replaceValues.Operations, { lastName: "updatedFamilyName" }],
    ["Entra ID: active as a text", entra.disableWithText.Operations, { isActive: false }],
    ["Entra ID: active", entra.disable.Operations, { isActive: false }],
    ["Entra ID: Add, with attributes that aren't stored", entra.addValues.Operations, { firstName: "Grace" }],
    [
      "Entra ID: dotted names without a path",
      entra.replaceWithoutPath.Operations,
      { firstName: "Kjeld", lastName: "Bjfe", displayName: "Bjfe" },
    ],
    ["Okta: active without a path", okta.deactivate.Operations, { isActive: false }],
    ["an address", replace("userName", "Ada@Example.com"), { email: "ada@example.com" }],
    [
      "a path with its schema",
      replace("urn:ietf:params:scim:schemas:core:2.0:User:userName", "a@b.c"),
      { email: "a@b.c" },
    ],
    ["names in another case", replace("USERNAME", "a@b.c"), { email: "a@b.c" }],
    ["a part of the name", replace("name", { familyName: "Murray" }), { lastName: "Murray" }],
    ["a full name", replace("name.formatted", "Grace Murray"), { displayName: "Grace Murray" }],
    [
      "the extension's own path",
      [{ op: "add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User", value: { a: 1 } }],
      {},
    ],
    ["removal of a part", [{ op: "remove", path: "name.givenName" }], { firstName: null }],
    ["removal of the name", [{ op: "remove", path: "name" }], { firstName: null, lastName: null }],
    ["an empty name", replace("name", null), { firstName: null, lastName: null }],
    [
      "the last operation on an attribute",
      [...replace("name", null), ...replace("name.givenName", "Ada"), ...replace("name.givenName", "Grace")],
      { firstName: "Grace", lastName: null },
    ],
    ["addresses, which are that of userName", replace('emails[type eq "work"].value', "x"), {}],
    ["texts that change the direction", replace("name.givenName", "\u200fGrace"), { firstName: "Grace" }],
    ["a long name that isn't stored", replace("displayName", "a".repeat(256)), { displayName: "a".repeat(256) }],
    ["removal of externalId", [{ op: "remove", path: "externalId" }], { externalId: null }],
    ["removal of active, which stays", [{ op: "remove", path: "active" }], {}],
    ["what only Signalbox sets", [{ op: "replace", value: { id: "x", meta: {}, groups: [], schemas: [] } }], {}],
  ])("%s", (_what, operations, changed) => {
    expect(fieldsAfter(operations)).toEqual({ displayName: null, ...changed });
  });

  it.each<[what: string, operations: readonly PatchOperation[], scimType: string | undefined]>([
    ["an unknown operation", [{ op: "move", path: "active", value: true }], "invalidSyntax"],
    ["a remove without a path", [{ op: "remove" }], "noTarget"],
    ["a text without a path", [{ op: "replace", value: "x" }], "invalidSyntax"],
    ["an operation without a value", [{ op: "add", path: "active" }], "invalidSyntax"],
    ["a path that isn't one", replace("emails[", "x"), "invalidPath"],
    ["a path that is too long", replace("a".repeat(MAX_PATH_LENGTH + 1), "x"), "invalidPath"],
    ["a filter with control characters", replace(`emails[type eq "${"\n".repeat(40)}].value`, "x"), "invalidPath"],
    ["a part of a text", replace('userName[value eq "x"]', "x"), "invalidPath"],
    ["a name that isn't an object", replace("name", "Grace"), undefined],
    ["removal of the address", [{ op: "remove", path: "userName" }], undefined],
    ["a text that isn't a boolean", replace("active", "yes"), undefined],
    ["an address that isn't one", replace("userName", "grace"), undefined],
  ])("refuses %s", (_what, operations, scimType) => {
    const refused = expect.objectContaining({
      status: 400,
      ...(scimType && { metadata: expect.objectContaining({ scim_type: scimType }) as unknown }),
    }) as Error;
    expect(() => fieldsAfter(operations)).toThrow(refused);
  });

  it("with a long name of an attribute takes no longer than with a short one", () => {
    for (const name of [`urn:${"a[:".repeat(300_000)}`, `emails[value eq "${".".repeat(1_000_000)}"].value`]) {
      const started = performance.now();
      expect(fieldsAfter([{ op: "replace", value: { [name]: "x", active: false } }])).toMatchObject({
        isActive: false,
      });
      expect(performance.now() - started).toBeLessThan(1000);
    }
    const longest = `urn:${"a[:".repeat(MAX_PATH_LENGTH / 3 - 2)}`;
    const started = performance.now();
    const operations = Array.from({ length: 1000 }, () => ({ op: "add", value: { [longest]: "x" } }));
    expect(stepsOfPatch("User", operations)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it("can't change the prototype of objects", () => {
    const paths = ["__proto__.polluted", "constructor.prototype.polluted", "name.__proto__", "emails.constructor"];
    for (const path of paths) {
      try {
        fieldsAfter(replace(path, { polluted: true }));
      } catch (error) {
        expect(error).toMatchObject({ status: 400 });
      }
      try {
        fieldsAfter([{ op: "add", value: { name: { [path]: true }, emails: [{ [path]: true }], [path]: true } }]);
      } catch (error) {
        expect(error).toMatchObject({ status: 400 });
      }
    }
    expect({}).not.toHaveProperty("polluted");
  });
});

const changeOf = (operations: readonly PatchOperation[]) => {
  const steps = stepsOfPatch("Group", operations).filter(({ path }) => path.attribute === "members");
  const change = membersChange(steps);
  return change && { isWhole: change.isWhole, add: [...change.add], remove: [...change.remove] };
};

describe("a patch of a group", () => {
  it.each<[what: string, operations: readonly PatchOperation[], expected: object | null]>([
    ["Entra ID: Add", entra.addMembers("a", "b").Operations, { isWhole: false, add: ["a", "b"], remove: [] }],
    ["Entra ID: Remove by values", entra.removeMembers("a").Operations, { isWhole: false, add: [], remove: ["a"] }],
    ["Entra ID: remove by filter", entra.removeMember("a").Operations, { isWhole: false, add: [], remove: ["a"] }],
    ["Entra ID: a new name", entra.renameGroup("New").Operations, null],
    [
      "Okta: remove and add",
      okta.changeMembers("a", "b", "b@c.d").Operations,
      { isWhole: false, add: ["b"], remove: ["a"] },
    ],
    ["Okta: replace", okta.replaceMembers("a", "b").Operations, { isWhole: true, add: ["a", "b"], remove: [] }],
    ["removal of all", [{ op: "remove", path: "members" }], { isWhole: true, add: [], remove: [] }],
    [
      "several in a filter",
      [{ op: "remove", path: 'members[value eq "a" or value eq "b"]' }],
      { isWhole: false, add: [], remove: ["a", "b"] },
    ],
    [
      "one member without a list",
      [{ op: "add", path: "members", value: { value: "a" } }],
      { isWhole: false, add: ["a"], remove: [] },
    ],
    [
      "members without a path",
      [{ op: "add", value: { members: [{ value: "a" }] } }],
      { isWhole: false, add: ["a"], remove: [] },
    ],
    [
      "the last operation on a member",
      [...entra.addMembers("a").Operations, ...entra.removeMember("a").Operations],
      { isWhole: false, add: [], remove: ["a"] },
    ],
  ])("%s", (_what, operations, expected) => {
    expect(changeOf(operations)).toEqual(expected);
  });

  it.each<[what: string, operations: readonly PatchOperation[]]>([
    ["members that aren't objects", [{ op: "add", path: "members", value: [1] }]],
    ["a change of one member", [{ op: "replace", path: 'members[value eq "a"].value', value: "b" }]],
    ["another filter", [{ op: "remove", path: 'members[display co "a"]' }]],
    ["an invalid filter", [{ op: "remove", path: "members[value eq]" }]],
    ["over 10,000 members", entra.addMembers(...Array.from({ length: 10_001 }, (_, index) => `u${index}`)).Operations],
  ])("refuses %s", (_what, operations) => {
    expect(() => changeOf(operations)).toThrow(expect.objectContaining({ status: 400 }) as Error);
  });

  it("changes name and externalId, and ignores the id that Okta sends", () => {
    const after = (operations: readonly PatchOperation[]) =>
      changedGroupFields(changedAttributes(stepsOfPatch("Group", operations)));
    expect(after(okta.renameGroup("x", "New").Operations)).toEqual({ name: "New" });
    expect(after([{ op: "remove", path: "externalId" }])).toEqual({ externalId: null });
    expect(() => after([{ op: "remove", path: "displayName" }])).toThrow(
      expect.objectContaining({ status: 400 }) as Error,
    );
  });
});
