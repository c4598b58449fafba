import { handle } from "@/lib/server/handle";
import * as account from "@/lib/records/session/account-service";
import { updateAccount } from "@/lib/records/session/account-contract";

export const PATCH = handle(updateAccount, account.update);
