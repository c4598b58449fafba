import { createModeration } from "@/lib/gateway/moderations-contract";
import * as moderations from "@/lib/gateway/moderations-service";
import { handle } from "@/lib/server/handle";

export const POST = handle(createModeration, moderations.create);
