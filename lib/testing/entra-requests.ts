/**
 * Bodies of requests that Entra ID sends, as Microsoft documents them in "Develop and plan provisioning for a SCIM endpoint"
 * (https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups) and "Known issues and
 * resolutions with SCIM 2.0 protocol compliance" (…/app-provisioning/application-provisioning-config-problem-scim-compatibility).
 */
const PATCH = { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"] };
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

export const createUser = (address: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", ENTERPRISE],
  externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
  userName: address,
  active: true,
  emails: [{ primary: true, type: "work", value: address }],
  meta: { resourceType: "User" },
  name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
  roles: [],
  [ENTERPRISE]: { department: "Sales", manager: { value: "26118915-6090-4610-87e4-49d8ca9f808d" } },
});

/** Replaces a work address and a last name. */
export const replaceValues = {
  ...PATCH,
  Operations: [
    { op: "Replace", path: 'emails[type eq "work"].value', value: "updatedEmail@microsoft.com" },
    { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
  ],
};

/** Disables a user; the value is a text without the flag `aadOptscim062020`. */
export const disableWithText = { ...PATCH, Operations: [{ op: "Replace", path: "active", value: "False" }] };
export const disable = { ...PATCH, Operations: [{ op: "replace", path: "active", value: false }] };

/** Adds single values; the address of a phone and the manager aren't stored by Signalbox. */
export const addValues = {
  ...PATCH,
  Operations: [
    { op: "Add", path: "name.givenName", value: "Grace" },
    { op: "Add", path: 'phoneNumbers[type eq "work"].value', value: "+1 555 0100" },
    { op: "Add", path: `${ENTERPRISE}:manager`, value: "26118915-6090-4610-87e4-49d8ca9f808d" },
  ],
};

/** Several attributes without a path, of the flag `aadOptscim062020`. */
export const replaceWithoutPath = {
  ...PATCH,
  Operations: [
    {
      op: "replace",
      value: {
        displayName: "Bjfe",
        "name.givenName": "Kjeld",
        "name.familyName": "Bjfe",
        'emails[type eq "work"].value': "Kjeld@example.com",
        [`${ENTERPRISE}:department`]: "Research",
      },
    },
  ],
};

export const createGroup = (displayName: string) => ({
  schemas: [
    "urn:ietf:params:scim:schemas:core:2.0:Group",
    "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group",
  ],
  externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
  displayName,
  meta: { resourceType: "Group" },
});

export const renameGroup = (value: string) => ({
  ...PATCH,
  Operations: [{ op: "Replace", path: "displayName", value }],
});

export const addMembers = (...ids: readonly string[]) => ({
  ...PATCH,
  Operations: [{ op: "Add", path: "members", value: ids.map((value) => ({ $ref: null, value })) }],
});

/** Removes members by their values, without the flag `aadOptscim062020`. */
export const removeMembers = (...ids: readonly string[]) => ({
  ...PATCH,
  Operations: [{ op: "Remove", path: "members", value: ids.map((value) => ({ $ref: null, value })) }],
});

export const removeMember = (id: string) => ({
  ...PATCH,
  Operations: [{ op: "remove", path: `members[value eq "${id}"]` }],
});
