import { listLimitSubjects } from "@/lib/records/limits/contract";
import { subjects } from "@/lib/records/limits/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listLimitSubjects, subjects);
