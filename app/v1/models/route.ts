import { handle } from "@/lib/http/handle";
import { createModel, listModels } from "@/lib/models/contract";
import * as models from "@/lib/models/service";

export const GET = handle(listModels, models.list);
export const POST = handle(createModel, models.create);
