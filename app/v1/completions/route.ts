import { createCompletion } from "@/lib/gateway/completions-contract";
import * as completions from "@/lib/gateway/completions-service";
import { handle } from "@/lib/server/handle";

export const POST = handle(createCompletion, completions.create);
