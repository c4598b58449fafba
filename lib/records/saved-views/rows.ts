import "server-only";
import { ownOnly, type Caller } from "../../platform/context";
import type { Prisma } from "../../../prisma/generated/client";
import { nameOf } from "../members/name";
import type { SavedView } from "./contract";

export const withOwner = {
  owner: { select: { email: true, firstName: true, lastName: true } },
} as const satisfies Prisma.SavedViewInclude;

type SavedViewRow = Prisma.SavedViewGetPayload<{ include: typeof withOwner }>;

export const toSavedView = ({ owner, ...row }: SavedViewRow, caller: Caller): SavedView => ({
  id: row.id,
  page: row.page as SavedView["page"],
  name: row.name,
  query: row.query,
  is_shared: row.isShared,
  owner_id: row.ownerId,
  owner_name: owner && nameOf(owner),
  is_deletable: row.ownerId === caller.userId || !ownOnly(caller, "organization:write"),
  created_at: row.createdAt.toISOString(),
});
