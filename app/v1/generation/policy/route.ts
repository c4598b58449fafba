import { handle } from "@/lib/server/handle";
import * as why from "@/lib/features/replay/why-service";
import { explainGeneration } from "@/lib/features/replay/why-contract";

export const GET = handle(explainGeneration, why.explain);
