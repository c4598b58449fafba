import { handle } from "@/lib/http/handle";
import * as account from "@/lib/session/account";
import { deleteOtherAccountSessions, listAccountSessions } from "@/lib/session/account-contract";

export const GET = handle(listAccountSessions, account.listOwn);
export const DELETE = handle(deleteOtherAccountSessions, account.removeOthers);
