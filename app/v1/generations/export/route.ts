import { exportGenerations } from "@/lib/generations/contract";
import { exportAll } from "@/lib/generations/export-service";
import { handle } from "@/lib/http/handle";

export const GET = handle(exportGenerations, exportAll);
