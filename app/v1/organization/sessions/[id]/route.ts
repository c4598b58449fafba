import { handle } from "@/lib/server/handle";
import * as account from "@/lib/records/session/account-service";
import { deleteOrganizationSession } from "@/lib/records/session/account-contract";

export const DELETE = handle(deleteOrganizationSession, account.removeAny);
