import { createLimit, listLimits } from "@/lib/records/limits/contract";
import { create, list } from "@/lib/records/limits/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listLimits, list);
export const POST = handle(createLimit, create);
