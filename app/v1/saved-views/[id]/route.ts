import { handle } from "@/lib/server/handle";
import { deleteSavedView } from "@/lib/records/saved-views/contract";
import * as savedViews from "@/lib/records/saved-views/service";

export const DELETE = handle(deleteSavedView, savedViews.remove);
