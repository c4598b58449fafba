import { handle } from "@/lib/http/handle";
import { createMember, listMembers } from "@/lib/members/contract";
import * as members from "@/lib/members/service";

export const GET = handle(listMembers, members.list);
export const POST = handle(createMember, members.create);
