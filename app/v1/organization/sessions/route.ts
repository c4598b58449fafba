import { handle } from "@/lib/http/handle";
import * as account from "@/lib/session/account";
import { listOrganizationSessions } from "@/lib/session/account-contract";

export const GET = handle(listOrganizationSessions, account.listAll);
