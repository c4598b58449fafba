import { handle } from "@/lib/server/handle";
import { acceptInvitation } from "@/lib/records/session/contract";
import * as session from "@/lib/records/session/service";

export const POST = handle(acceptInvitation, session.acceptInvitation);
