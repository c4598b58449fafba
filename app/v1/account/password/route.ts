import { handle } from "@/lib/server/handle";
import * as account from "@/lib/records/session/account-service";
import { changePassword } from "@/lib/records/session/account-contract";

export const POST = handle(changePassword, account.changePassword);
