import { handle } from "@/lib/http/handle";
import * as account from "@/lib/session/account";
import { updateAccount } from "@/lib/session/account-contract";

export const PATCH = handle(updateAccount, account.update);
