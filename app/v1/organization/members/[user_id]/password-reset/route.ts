import { handle } from "@/lib/server/handle";
import { resetMemberPassword } from "@/lib/records/members/contract";
import * as members from "@/lib/records/members/service";

export const POST = handle(resetMemberPassword, members.resetPassword);
