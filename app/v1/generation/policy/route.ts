import { handle } from "@/lib/http/handle";
import * as why from "@/lib/replay/why";
import { explainGeneration } from "@/lib/replay/why-contract";

export const GET = handle(explainGeneration, why.explain);
