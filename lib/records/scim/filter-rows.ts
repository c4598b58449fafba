import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import { literal } from "../../platform/database/literal";
import { Instant, Uuid } from "../../platform/http/operation";
import { withoutSchema, type ResourceType } from "./attributes";
import { convertFilter, invalidFilter, parseFilter, unsupported, type Operator, type Value } from "./filter";

type Where = Prisma.MemberWhereInput & Prisma.GroupWhereInput;
/** Compares one attribute. */
type Comparison = (operator: Operator, value: Value, refuse: () => Error) => Where;

/** Conditions that match every row and no row. An empty condition can't be negated. */
const ALL: Where = { id: { notIn: [] } };
const NONE: Where = { id: { in: [] } };

const not = (condition: Where): Where => ({ NOT: condition });

const TEXT_OPERATORS = { co: "contains", sw: "startsWith", ew: "endsWith" } as const;

interface TextColumn {
  isNullable?: boolean;
  /** Whether case matters: `externalId` and `id`, by their definition. */
  isExact?: boolean;
}

/** A text column. The condition is never null in SQL, so that its negation matches rows without a value. */
function text(column: string, { isNullable = false, isExact = false }: TextColumn = {}): Comparison {
  const mode = isExact ? {} : { mode: "insensitive" as const };
  const present: Where = isNullable ? { [column]: { not: null } } : ALL;
  const matching = (condition: object): Where => ({ AND: [present, { [column]: { ...condition, ...mode } }] });
  return (operator, value, refuse) => {
    if (operator === "pr") return present;
    if (operator === "ne") return not(text(column, { isNullable, isExact })("eq", value, refuse));
    if (operator === "eq" && value === null) return not(present);
    if (typeof value !== "string") throw refuse();
    if (operator === "eq") return matching({ equals: isExact ? value : literal(value) });
    if (operator === "co" || operator === "sw" || operator === "ew")
      return matching({ [TEXT_OPERATORS[operator]]: literal(value) });
    throw refuse();
  };
}

/** An attribute that has the same value in every resource, such as the type of an address. */
const constant =
  (own: Value): Comparison =>
  (operator, value, refuse) => {
    if (operator === "pr") return ALL;
    if (operator !== "eq" && operator !== "ne") throw refuse();
    return (own === value) === (operator === "eq") ? ALL : NONE;
  };

const active: Comparison = (operator, value, refuse) => {
  if (operator === "pr") return ALL;
  if (typeof value !== "boolean" || (operator !== "eq" && operator !== "ne")) throw refuse();
  return value === (operator === "eq") ? { deactivatedAt: null } : not({ deactivatedAt: null });
};

/** A point in time; `lastModified` is the creation of what was never changed. */
function instant(isLastModified: boolean): Comparison {
  const compare = (condition: object): Where =>
    isLastModified
      ? {
          OR: [
            { AND: [{ updatedAt: { not: null } }, { updatedAt: condition }] },
            { updatedAt: null, createdAt: condition },
          ],
        }
      : { createdAt: condition };
  const names = { gt: "gt", ge: "gte", lt: "lt", le: "lte", eq: "equals" } as const;
  return (operator, value, refuse) => {
    if (operator === "pr") return ALL;
    if (typeof value !== "string" || !Instant.safeParse(value).success) throw refuse();
    if (operator === "ne") return not(compare({ equals: new Date(value) }));
    if (!(operator in names)) throw refuse();
    return compare({ [names[operator as keyof typeof names]]: new Date(value) });
  };
}

/** Two names of 100 characters. */
const MAX_DISPLAY_NAME = 201;

/** The name that a member is shown with: first and last name, or the address. */
const displayName: Comparison = (operator, value, refuse) => {
  if (operator === "pr") return ALL;
  if (operator === "ne") return not(displayName("eq", value, refuse));
  if (operator !== "eq" || typeof value !== "string") throw refuse();
  const is = (column: string, wanted: string) => text(column, { isNullable: true })("eq", wanted, refuse);
  const [noFirst, noLast] = [{ firstName: null }, { lastName: null }] satisfies Where[];
  const words = value.length > MAX_DISPLAY_NAME ? [] : value.split(" ");
  const splits = words.slice(1).map((_, index): Where => ({
    AND: [is("firstName", words.slice(0, index + 1).join(" ")), is("lastName", words.slice(index + 1).join(" "))],
  }));
  return {
    OR: [
      ...splits,
      { AND: [is("firstName", value), noLast] },
      { AND: [is("lastName", value), noFirst] },
      { AND: [text("email")("eq", value, refuse), noFirst, noLast] },
    ],
  };
};

const isUuid = (value: string): boolean => Uuid.safeParse(value).success;

/** Members of a group, or those groups of a member that directories see, by id. */
const membership =
  (column: "memberId" | "groupId", relation: "members" | "groups"): Comparison =>
  (operator, value, refuse) => {
    const seen = column === "groupId" ? { group: { source: "scim" } } : {};
    const some = (condition: object): Where => ({ [relation]: { some: { ...seen, ...condition } } });
    if (operator === "pr") return some({});
    if (typeof value !== "string" || (operator !== "eq" && operator !== "ne")) throw refuse();
    if (column === "groupId" && !isUuid(value)) return operator === "eq" ? NONE : ALL;
    return operator === "eq" ? some({ [column]: value }) : not(some({ [column]: value }));
  };

const groupId: Comparison = (operator, value, refuse) => {
  if (operator === "pr") return ALL;
  if (typeof value !== "string" || (operator !== "eq" && operator !== "ne")) throw refuse();
  const condition: Where = isUuid(value) ? { id: value } : NONE;
  return operator === "eq" ? condition : not(condition);
};

const named: Comparison = (operator, _value, refuse) => {
  if (operator !== "pr") throw refuse();
  return { OR: [{ firstName: { not: null } }, { lastName: { not: null } }] };
};

const email = text("email");
const META = { "meta.created": instant(false), "meta.lastmodified": instant(true) };

/** Comparisons by the lower-case path of the attribute. */
const COMPARISONS: Readonly<Record<ResourceType, Readonly<Record<string, Comparison>>>> = {
  User: {
    id: text("id", { isExact: true }),
    username: email,
    emails: email,
    "emails.value": email,
    "emails.type": constant("work"),
    "emails.primary": constant(true),
    externalid: text("externalId", { isNullable: true, isExact: true }),
    name: named,
    "name.givenname": text("firstName", { isNullable: true }),
    "name.familyname": text("lastName", { isNullable: true }),
    "name.formatted": displayName,
    displayname: displayName,
    active,
    groups: membership("groupId", "groups"),
    "groups.value": membership("groupId", "groups"),
    ...META,
  },
  Group: {
    id: groupId,
    displayname: text("name"),
    externalid: text("externalId", { isNullable: true, isExact: true }),
    members: membership("memberId", "members"),
    "members.value": membership("memberId", "members"),
    ...META,
  },
};

/** Converts a filter of a list; throws a 400 that names what isn't supported. */
function whereOf(type: ResourceType, filter: string | undefined): Where {
  if (filter === undefined) return {};
  return convertFilter<Where>(parseFilter(filter), {
    compare: (attribute, operator, value) => {
      const refuse = () => unsupported(attribute, operator);
      const comparison = COMPARISONS[type][withoutSchema(type, attribute).toLowerCase()];
      if (!comparison) throw refuse();
      if (typeof value === "string" && !value.isWellFormed()) throw invalidFilter("A filter must be valid Unicode");
      return comparison(operator, value, refuse);
    },
    and: (conditions) => ({ AND: conditions }),
    or: (conditions) => ({ OR: conditions }),
    not,
  });
}

export const userFilter = (filter: string | undefined): Prisma.MemberWhereInput => whereOf("User", filter);
export const groupFilter = (filter: string | undefined): Prisma.GroupWhereInput => whereOf("Group", filter);
