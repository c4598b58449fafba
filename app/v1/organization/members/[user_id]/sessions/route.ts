import { handle } from "@/lib/http/handle";
import { endMemberSessions } from "@/lib/members/contract";
import * as members from "@/lib/members/service";

export const DELETE = handle(endMemberSessions, members.endSessions);
