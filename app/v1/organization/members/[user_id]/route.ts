import { handle } from "@/lib/http/handle";
import { deleteMember, getMember, updateMember } from "@/lib/members/contract";
import * as members from "@/lib/members/service";

export const GET = handle(getMember, members.get);
export const PATCH = handle(updateMember, members.update);
export const DELETE = handle(deleteMember, members.remove);
