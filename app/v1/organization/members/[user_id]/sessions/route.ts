import { handle } from "@/lib/server/handle";
import { endMemberSessions } from "@/lib/records/members/contract";
import * as members from "@/lib/records/members/service";

export const DELETE = handle(endMemberSessions, members.endSessions);
