import { handle } from "@/lib/server/handle";
import { deletePasskey } from "@/lib/records/session/factors-contract";
import * as passkeys from "@/lib/records/session/passkeys-service";

export const DELETE = handle(deletePasskey, passkeys.remove);
