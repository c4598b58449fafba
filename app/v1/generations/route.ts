import { listGenerations } from "@/lib/generations/contract";
import * as generations from "@/lib/generations/service";
import { handle } from "@/lib/http/handle";

export const GET = handle(listGenerations, generations.list);
