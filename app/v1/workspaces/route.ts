import { handle } from "@/lib/server/handle";
import { createWorkspace, listWorkspaces } from "@/lib/records/workspaces/contract";
import * as workspaces from "@/lib/records/workspaces/service";

export const GET = handle(listWorkspaces, workspaces.list);
export const POST = handle(createWorkspace, workspaces.create);
