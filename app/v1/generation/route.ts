import { getGeneration } from "@/lib/records/generations/contract";
import * as generations from "@/lib/records/generations/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getGeneration, generations.get);
