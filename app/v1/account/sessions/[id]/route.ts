import { handle } from "@/lib/server/handle";
import * as account from "@/lib/records/session/account-service";
import { deleteAccountSession } from "@/lib/records/session/account-contract";

export const DELETE = handle(deleteAccountSession, account.removeOwn);
