import { getGenerationNeighbours } from "@/lib/records/generations/contract";
import * as generations from "@/lib/records/generations/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getGenerationNeighbours, generations.neighbours);
