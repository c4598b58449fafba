import { getGenerationNeighbours } from "@/lib/generations/contract";
import * as generations from "@/lib/generations/service";
import { handle } from "@/lib/http/handle";

export const GET = handle(getGenerationNeighbours, generations.neighbours);
