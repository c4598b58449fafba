import { handle } from "@/lib/server/handle";
import { createPasskey } from "@/lib/records/session/factors-contract";
import * as passkeys from "@/lib/records/session/passkeys-service";

export const POST = handle(createPasskey, passkeys.register);
