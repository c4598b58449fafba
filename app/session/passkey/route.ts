import { handle } from "@/lib/server/handle";
import { createPasskeySession } from "@/lib/records/session/contract";
import * as session from "@/lib/records/session/service";

export const POST = handle(createPasskeySession, session.createWithPasskey);
