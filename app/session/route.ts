import { handle } from "@/lib/server/handle";
import { createSession, deleteSession, getSession } from "@/lib/records/session/contract";
import * as session from "@/lib/records/session/service";
import { signOut } from "@/lib/records/sign-in-connections/sign-out-service";

export const POST = handle(createSession, session.create);
export const GET = handle(getSession, session.get);
export const DELETE = handle(deleteSession, signOut);
