import { handle } from "@/lib/http/handle";
import { resetMemberPassword } from "@/lib/members/contract";
import * as members from "@/lib/members/service";

export const POST = handle(resetMemberPassword, members.resetPassword);
