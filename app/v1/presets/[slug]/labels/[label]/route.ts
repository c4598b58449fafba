import { handle } from "@/lib/http/handle";
import * as labels from "@/lib/presets/labels";
import { deletePresetLabel, setPresetLabel } from "@/lib/presets/labels-contract";

export const PUT = handle(setPresetLabel, labels.set);
export const DELETE = handle(deletePresetLabel, labels.remove);
