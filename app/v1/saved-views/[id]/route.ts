import { handle } from "@/lib/http/handle";
import { deleteSavedView } from "@/lib/saved-views/contract";
import * as savedViews from "@/lib/saved-views/service";

export const DELETE = handle(deleteSavedView, savedViews.remove);
