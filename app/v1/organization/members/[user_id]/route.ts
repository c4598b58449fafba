import { handle } from "@/lib/server/handle";
import { deleteMember, getMember, updateMember } from "@/lib/records/members/contract";
import * as members from "@/lib/records/members/service";

export const GET = handle(getMember, members.get);
export const PATCH = handle(updateMember, members.update);
export const DELETE = handle(deleteMember, members.remove);
