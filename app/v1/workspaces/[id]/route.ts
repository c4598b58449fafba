import { handle } from "@/lib/server/handle";
import { deleteWorkspace, getWorkspace, updateWorkspace } from "@/lib/records/workspaces/contract";
import * as workspaces from "@/lib/records/workspaces/service";

export const GET = handle(getWorkspace, workspaces.get);
export const PATCH = handle(updateWorkspace, workspaces.update);
export const DELETE = handle(deleteWorkspace, workspaces.remove);
