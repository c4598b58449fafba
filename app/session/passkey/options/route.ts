import { handle } from "@/lib/server/handle";
import { createPasskeySignInOptions } from "@/lib/records/session/contract";
import * as session from "@/lib/records/session/service";

export const POST = handle(createPasskeySignInOptions, session.passkeyOptions);
