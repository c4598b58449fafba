import { expect, it } from "vitest";
import { projection, storedAttributes } from "./attributes";

const USER = { schemas: ["u"], id: "1", userName: "a@b.c", name: { givenName: "A", familyName: "B" }, active: true };

it.each([
  [{}, USER],
  [{ attributes: "userName" }, { schemas: ["u"], id: "1", userName: "a@b.c" }],
  [{ attributes: "name.familyName, ACTIVE" }, { schemas: ["u"], id: "1", name: { familyName: "B" }, active: true }],
  [
    { attributes: "urn:ietf:params:scim:schemas:core:2.0:User:userName" },
    { schemas: ["u"], id: "1", userName: "a@b.c" },
  ],
  [{ excludedAttributes: "name,id" }, { schemas: ["u"], id: "1", userName: "a@b.c", active: true }],
  [{ excludedAttributes: "name.givenName" }, { ...USER, name: { familyName: "B" } }],
])("shows the attributes that %o asks for", (query, expected) => {
  expect(projection("User", query).of(USER)).toEqual(expected);
});

it("reads known attributes in any case, and drops others with their parts", () => {
  expect(
    storedAttributes("User", {
      USERNAME: "a@b.c",
      Name: { GivenName: "A", middleName: "M" },
      "urn:ietf:params:scim:schemas:core:2.0:User:active": true,
      password: "secret",
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "Sales" },
    }),
  ).toEqual({ userName: "a@b.c", name: { givenName: "A" }, active: true });
});
