import { handle } from "@/lib/server/handle";
import * as account from "@/lib/records/session/account-service";
import { listOrganizationSessions } from "@/lib/records/session/account-contract";

export const GET = handle(listOrganizationSessions, account.listAll);
