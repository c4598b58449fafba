/**
 * Bodies of requests that Okta sends, as it documents them in "SCIM 2.0 protocol reference"
 * (https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20/).
 */
const PATCH = { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"] };

export const createUser = (address: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName: address,
  name: { givenName: "Test", familyName: "User" },
  emails: [{ primary: true, value: address, type: "work" }],
  displayName: "Test User",
  locale: "en-US",
  externalId: "00ujl29u0le5T6Aj10h7",
  groups: [],
  password: "1mz050nq",
  active: true,
});

/** Updates a user with everything that Okta knows, and without `externalId`. */
export const updateUser = (id: string, address: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  id,
  userName: address,
  name: { givenName: "Another", middleName: "Excited", familyName: "User" },
  emails: [{ primary: true, value: address, type: "work", display: address }],
  active: true,
  groups: [],
  meta: { resourceType: "User" },
});

export const deactivate = { ...PATCH, Operations: [{ op: "replace", value: { active: false } }] };
export const activate = { ...PATCH, Operations: [{ op: "replace", value: { active: true } }] };

export const createGroup = (displayName: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
  displayName,
  members: [],
});

export const renameGroup = (id: string, displayName: string) => ({
  ...PATCH,
  Operations: [{ op: "replace", value: { id, displayName } }],
});

/** Updates a group with all of its members, as applications of the App Integration Wizard do. */
export const updateGroup = (id: string, displayName: string, ...members: readonly string[]) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
  id,
  displayName,
  members: members.map((value) => ({ value, display: `${value}@example.com` })),
});

/** Removes and adds members in one request. */
export const changeMembers = (removed: string, added: string, display: string) => ({
  ...PATCH,
  Operations: [
    { op: "remove", path: `members[value eq "${removed}"]` },
    { op: "add", path: "members", value: [{ value: added, display }] },
  ],
});

export const replaceMembers = (...ids: readonly string[]) => ({
  ...PATCH,
  Operations: [
    { op: "replace", path: "members", value: ids.map((value) => ({ value, display: `${value}@example.com` })) },
  ],
});
