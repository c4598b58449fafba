import { handle } from "@/lib/server/handle";
import * as account from "@/lib/records/session/account-service";
import { deleteOtherAccountSessions, listAccountSessions } from "@/lib/records/session/account-contract";

export const GET = handle(listAccountSessions, account.listOwn);
export const DELETE = handle(deleteOtherAccountSessions, account.removeOthers);
