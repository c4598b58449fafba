import { handle } from "@/lib/http/handle";
import { createWorkspace, listWorkspaces } from "@/lib/workspaces/contract";
import * as workspaces from "@/lib/workspaces/service";

export const GET = handle(listWorkspaces, workspaces.list);
export const POST = handle(createWorkspace, workspaces.create);
