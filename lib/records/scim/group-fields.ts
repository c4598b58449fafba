import type { Filter } from "scim2-parse-filter";
import { z } from "zod";
import { newName } from "../../platform/name-contract";
import { MAX_GROUP_NAME } from "../groups/vocabulary";
import { storedAttributes } from "./attributes";
import { parseFilter } from "./filter";
import type { Step } from "./patch";
import { scimError } from "./scim-error";
import { validated } from "./validated";
import { MAX_GROUP_MEMBERS } from "./vocabulary";

const Fields = z.object({
  displayName: newName(MAX_GROUP_NAME),
  externalId: z.string().trim().min(1).max(255).nullish(),
  members: z
    .array(z.object({ value: z.string().min(1).max(100) }))
    .max(MAX_GROUP_MEMBERS)
    .nullish(),
});
const ChangedFields = Fields.partial({ displayName: true });

/** What a directory says about a group; an undefined field stays as it is. */
export interface GroupFields {
  name: string | undefined;
  externalId: string | null | undefined;
  memberIds: readonly string[] | undefined;
}

const toFields = ({ displayName, externalId, members }: z.output<typeof ChangedFields>): GroupFields => ({
  name: displayName,
  externalId,
  memberIds: members?.map(({ value }) => value),
});

/** Validates the attributes of a group. */
export function groupFields(body: Readonly<Record<string, unknown>>): GroupFields & { name: string } {
  const fields = validated(Fields, storedAttributes("Group", body));
  return { ...toFields(fields), name: fields.displayName };
}

/** Validates the attributes of a group that a PATCH changes. */
export const changedGroupFields = (changed: Readonly<Record<string, unknown>>): GroupFields =>
  toFields(validated(ChangedFields, changed));

/** A change of a group's members. */
export interface MembersChange {
  /** Whether members that aren't added are removed. */
  isWhole: boolean;
  add: ReadonlySet<string>;
  remove: ReadonlySet<string>;
}

export const wholeMembers = (ids: readonly string[]): MembersChange => ({
  isWhole: true,
  add: new Set(ids),
  remove: new Set(),
});

/** Ids of members that an operation names: a list, or one member or id. */
function idsIn(value: unknown): string[] {
  const Member = z.union([z.string(), z.object({ value: z.string() }).transform((member) => member.value)]);
  const { data } = z.union([z.array(Member), Member.transform((id) => [id])]).safeParse(value);
  if (!data || data.some((id) => id === "" || id.length > 100))
    throw scimError(400, "invalidValue", "members must be a list of objects with the id of a user as value");
  return data;
}

/** Ids in a filter such as `value eq "a" or value eq "b"`. */
function idsOfFilter(filter: Filter): string[] {
  if (filter.op === "or") return filter.filters.flatMap(idsOfFilter);
  if (filter.op === "eq" && filter.attrPath.toLowerCase() === "value" && typeof filter.compValue === "string")
    return [filter.compValue];
  throw scimError(400, "invalidFilter", "Members of a group are named by value eq only");
}

/**
 * Combines the operations on the members of a group into one change, so that a large group needn't be loaded to change a
 * few of its members.
 */
export function membersChange(steps: readonly Step[]): MembersChange | null {
  const add = new Set<string>();
  const remove = new Set<string>();
  let isWhole = false;
  for (const { op, path, value } of steps) {
    if (op === "replace" || (op === "remove" && path.filter === null && (value === undefined || value === null))) {
      if (path.filter !== null) throw scimError(400, "invalidPath", "Members can be added and removed, not changed");
      isWhole = true;
      add.clear();
      remove.clear();
    }
    if (op === "remove") {
      const ids = path.filter !== null ? idsOfFilter(parseFilter(path.filter)) : value ? idsIn(value) : [];
      for (const id of ids) {
        add.delete(id);
        remove.add(id);
      }
    } else
      for (const id of idsIn(value)) {
        remove.delete(id);
        add.add(id);
      }
    if (add.size + remove.size > MAX_GROUP_MEMBERS)
      throw scimError(400, "invalidValue", `A request changes at most ${MAX_GROUP_MEMBERS} members of a group`);
  }
  return steps.length === 0 ? null : { isWhole, add, remove };
}
