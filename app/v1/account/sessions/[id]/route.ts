import { handle } from "@/lib/http/handle";
import * as account from "@/lib/session/account";
import { deleteAccountSession } from "@/lib/session/account-contract";

export const DELETE = handle(deleteAccountSession, account.removeOwn);
