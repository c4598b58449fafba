import { deleteLimit, getLimit, updateLimit } from "@/lib/records/limits/contract";
import { get, remove, update } from "@/lib/records/limits/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getLimit, get);
export const PATCH = handle(updateLimit, update);
export const DELETE = handle(deleteLimit, remove);
