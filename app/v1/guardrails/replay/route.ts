import { handle } from "@/lib/server/handle";
import { replayGuardrail } from "@/lib/features/replay/contract";
import * as replays from "@/lib/features/replay/service";

export const POST = handle(replayGuardrail, replays.replay);
