import { handle } from "@/lib/server/handle";
import * as labels from "@/lib/records/presets/labels-service";
import { deletePresetLabel, setPresetLabel } from "@/lib/records/presets/labels-contract";

export const PUT = handle(setPresetLabel, labels.set);
export const DELETE = handle(deletePresetLabel, labels.remove);
