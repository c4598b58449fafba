import { handle } from "@/lib/http/handle";
import * as account from "@/lib/session/account";
import { deleteOrganizationSession } from "@/lib/session/account-contract";

export const DELETE = handle(deleteOrganizationSession, account.removeAny);
