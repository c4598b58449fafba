import "server-only";
import type { Member as MemberRow } from "../../prisma/generated/client";
import type { Member, UpdateMemberBody } from "./contract";

const WIRE_ROLE = { admin: "org:admin", member: "org:member" } as const;
const ROLE = { "org:admin": "admin", "org:member": "member" } as const;

/** Columns → wire record. */
export const toMember = (row: MemberRow): Member => ({
  id: row.id,
  email: row.email,
  first_name: row.firstName,
  last_name: row.lastName,
  role: WIRE_ROLE[row.role],
  status: row.passwordHash === null ? "invited" : "active",
  created_at: row.createdAt.toISOString(),
});

/** Wire fields → columns; what is absent stays absent. */
export const toColumns = (body: Pick<UpdateMemberBody, "first_name" | "last_name" | "role">) => ({
  firstName: body.first_name,
  lastName: body.last_name,
  role: body.role && ROLE[body.role],
});
