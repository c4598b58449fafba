import { getObservations } from "@/lib/features/observations/contract";
import { observations } from "@/lib/features/observations/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getObservations, observations);
