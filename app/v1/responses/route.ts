import { createResponse } from "@/lib/gateway/contract";
import * as inference from "@/lib/gateway/service";
import { handle } from "@/lib/server/handle";

export const POST = handle(createResponse, inference.createResponse);
