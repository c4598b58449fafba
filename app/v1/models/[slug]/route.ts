import { handle } from "@/lib/http/handle";
import { deleteModel, getModel, updateModel } from "@/lib/models/contract";
import * as models from "@/lib/models/service";

export const GET = handle(getModel, models.get);
export const PATCH = handle(updateModel, models.update);
export const DELETE = handle(deleteModel, models.remove);
