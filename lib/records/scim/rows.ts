import "server-only";
import type { Group, Member } from "../../../prisma/generated/client";
import { preconditionFailed } from "../../platform/api-error";
import type { ScimContext } from "../../platform/context";
import { sha256 } from "../../platform/secrets";
import { nameOf } from "../members/name";
import type { ListQuery, ScimGroup, ScimUser } from "./contract";
import { GROUP_SCHEMA, LIST_SCHEMA, MAX_COUNT, USER_SCHEMA } from "./vocabulary";

export const baseUrl = ({ origin }: ScimContext): string => `${origin}/v1/scim/v2`;

export const userUrl = (context: ScimContext, id: string): string => `${baseUrl(context)}/Users/${id}`;
export const groupUrl = (context: ScimContext, id: string): string => `${baseUrl(context)}/Groups/${id}`;

interface NamedGroup {
  id: string;
  name: string;
}

/** A member with the groups that directories see. */
export type MemberWithGroups = Member & { groups: readonly { group: NamedGroup }[] };

/** The version of a member: a hash of what SCIM shows of them, because many operations change members. */
export function userVersion(row: MemberWithGroups): number {
  const { email, externalId, firstName, lastName, deactivatedAt, groups } = row;
  const shown = [
    email,
    externalId,
    firstName,
    lastName,
    deactivatedAt,
    groups.map(({ group }) => [group.id, group.name]),
  ];
  return parseInt(sha256(JSON.stringify(shown)).slice(0, 12), 16);
}

/** The version of a group: its last change. */
export const groupVersion = ({ createdAt, updatedAt }: Group): number => (updatedAt ?? createdAt).getTime();

/** A time of change that is later than the last one, so that it is a new version. */
export const nextChange = (group: Group, now: Date): Date => new Date(Math.max(now.getTime(), groupVersion(group) + 1));

export const entityTagOf = (version: number): string => `"${version}"`;

/** Throws a 412 unless the version is one of those in `If-Match`. */
export function assertVersion({ ifMatch }: ScimContext, version: number): void {
  if (ifMatch !== null && !ifMatch.includes(version)) throw preconditionFailed(version);
}

export function toUser(context: ScimContext, row: MemberWithGroups): ScimUser {
  const { id, email, externalId, firstName, lastName, createdAt, updatedAt, deactivatedAt } = row;
  const displayName = nameOf(row);
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    userName: email,
    name: {
      formatted: displayName,
      ...(firstName && { givenName: firstName }),
      ...(lastName && { familyName: lastName }),
    },
    displayName,
    emails: [{ value: email, type: "work", primary: true }],
    active: deactivatedAt === null,
    groups: row.groups.map(({ group }) => ({
      value: group.id,
      display: group.name,
      type: "direct",
      $ref: groupUrl(context, group.id),
    })),
    meta: {
      resourceType: "User",
      created: createdAt.toISOString(),
      lastModified: (updatedAt ?? createdAt).toISOString(),
      location: userUrl(context, id),
      version: entityTagOf(userVersion(row)),
    },
  };
}

interface MemberOfGroup {
  id: string;
  email: string;
}

/** Converts a group; `members` is null if they weren't loaded. */
export function toGroup(context: ScimContext, row: Group, members: readonly MemberOfGroup[] | null): ScimGroup {
  const { id, name, externalId, createdAt, updatedAt } = row;
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    displayName: name,
    ...(members && {
      members: members.map((member) => ({
        value: member.id,
        display: member.email,
        type: "User",
        $ref: userUrl(context, member.id),
      })),
    }),
    meta: {
      resourceType: "Group",
      created: createdAt.toISOString(),
      lastModified: (updatedAt ?? createdAt).toISOString(),
      location: groupUrl(context, id),
      version: entityTagOf(groupVersion(row)),
    },
  };
}

/** The page of a list: values outside its bounds are moved to the nearest (RFC 7644, section 3.4.2.4). */
export const pageOf = ({ startIndex, count }: ListQuery) => ({
  startIndex: Math.max(1, startIndex),
  skip: Math.max(1, startIndex) - 1,
  take: Math.min(MAX_COUNT, Math.max(0, count)),
});

export const toList = <T>(resources: T[], totalResults: number, startIndex: number) => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
