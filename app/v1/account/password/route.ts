import { handle } from "@/lib/http/handle";
import * as account from "@/lib/session/account";
import { changePassword } from "@/lib/session/account-contract";

export const POST = handle(changePassword, account.changePassword);
