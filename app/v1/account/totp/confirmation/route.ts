import { handle } from "@/lib/server/handle";
import { confirmTotp } from "@/lib/records/session/factors-contract";
import * as factors from "@/lib/records/session/factors-service";

export const POST = handle(confirmTotp, factors.confirmTotp);
