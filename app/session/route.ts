import { handle } from "@/lib/http/handle";
import { createSession, deleteSession, getSession } from "@/lib/session/contract";
import * as session from "@/lib/session/service";

export const POST = handle(createSession, session.create);
export const GET = handle(getSession, session.get);
export const DELETE = handle(deleteSession, session.remove);
