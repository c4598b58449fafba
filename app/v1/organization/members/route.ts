import { handle } from "@/lib/server/handle";
import { createMember, listMembers } from "@/lib/records/members/contract";
import { membersWithSpend } from "@/lib/features/analytics/spend-lists-service";
import * as members from "@/lib/records/members/service";

export const GET = handle(listMembers, membersWithSpend);
export const POST = handle(createMember, members.create);
