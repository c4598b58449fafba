import { GROUP_SCHEMA, USER_SCHEMA } from "./vocabulary";

/** The definition of an attribute (RFC 7643, section 7). */
export interface Attribute {
  name: string;
  type: "string" | "boolean" | "complex" | "reference";
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: "readWrite" | "readOnly" | "immutable";
  returned: "default" | "always";
  uniqueness: "none" | "server";
  referenceTypes?: readonly string[];
  subAttributes?: readonly Attribute[];
}

const attribute = (name: string, description: string, different: Partial<Attribute> = {}): Attribute => ({
  name,
  type: "string",
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...different,
});

const readOnly = { mutability: "readOnly" } as const;
const externalId = attribute("externalId", "Identifier of the resource in the directory", { caseExact: true });

const USER: readonly Attribute[] = [
  attribute("userName", "Email address with which the member signs in", { required: true, uniqueness: "server" }),
  externalId,
  attribute("name", "Name of the member", {
    type: "complex",
    subAttributes: [
      attribute("formatted", "Full name", readOnly),
      attribute("givenName", "First name"),
      attribute("familyName", "Last name"),
    ],
  }),
  attribute("displayName", "Full name; stored as first name of a member without other names"),
  attribute("emails", "The email address, which is that of userName", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "Email address", readOnly),
      attribute("type", "Always work", readOnly),
      attribute("primary", "Always true", { type: "boolean", ...readOnly }),
    ],
  }),
  attribute("active", "Whether the member and their keys have access", { type: "boolean" }),
  attribute("groups", "Groups of the member", {
    type: "complex",
    multiValued: true,
    ...readOnly,
    subAttributes: [
      attribute("value", "Identifier of the group", readOnly),
      attribute("display", "Name of the group", readOnly),
      attribute("type", "Always direct", readOnly),
      attribute("$ref", "Address of the group", { type: "reference", referenceTypes: ["Group"], ...readOnly }),
    ],
  }),
];

const GROUP: readonly Attribute[] = [
  attribute("displayName", "Name of the group", { required: true, uniqueness: "server" }),
  externalId,
  attribute("members", "Members of the group", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "Identifier of the user", { mutability: "immutable" }),
      attribute("display", "Email address of the user", readOnly),
      attribute("type", "Always User", { mutability: "immutable" }),
      attribute("$ref", "Address of the user", { type: "reference", referenceTypes: ["User"], ...readOnly }),
    ],
  }),
];

/** The types of resources with their addresses and attributes. */
export const RESOURCES = [
  {
    name: "User",
    endpoint: "/Users",
    description: "Members of the organization",
    schema: USER_SCHEMA,
    attributes: USER,
  },
  { name: "Group", endpoint: "/Groups", description: "Groups of members", schema: GROUP_SCHEMA, attributes: GROUP },
] as const;
