import { handle } from "@/lib/server/handle";
import { createMember, listMembers } from "@/lib/records/members/contract";
import * as members from "@/lib/records/members/service";

export const GET = handle(listMembers, members.list);
export const POST = handle(createMember, members.create);
