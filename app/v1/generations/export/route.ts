import { exportGenerations } from "@/lib/records/generations/contract";
import { exportAll } from "@/lib/records/generations/export-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(exportGenerations, exportAll);
