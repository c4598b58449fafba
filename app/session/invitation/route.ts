import { handle } from "@/lib/http/handle";
import { acceptInvitation } from "@/lib/session/contract";
import * as session from "@/lib/session/service";

export const POST = handle(acceptInvitation, session.acceptInvitation);
