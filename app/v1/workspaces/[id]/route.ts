import { handle } from "@/lib/http/handle";
import { deleteWorkspace, getWorkspace, updateWorkspace } from "@/lib/workspaces/contract";
import * as workspaces from "@/lib/workspaces/service";

export const GET = handle(getWorkspace, workspaces.get);
export const PATCH = handle(updateWorkspace, workspaces.update);
export const DELETE = handle(deleteWorkspace, workspaces.remove);
