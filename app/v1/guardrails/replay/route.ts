import { handle } from "@/lib/http/handle";
import { replayGuardrail } from "@/lib/replay/contract";
import * as replays from "@/lib/replay/service";

export const POST = handle(replayGuardrail, replays.replay);
