import { handle } from "@/lib/server/handle";
import { reauthenticate } from "@/lib/records/session/factors-contract";
import * as factors from "@/lib/records/session/factors-service";

export const POST = handle(reauthenticate, factors.reauthenticate);
