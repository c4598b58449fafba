import { handle } from "@/lib/server/handle";
import { deleteTotp, startTotp } from "@/lib/records/session/factors-contract";
import * as factors from "@/lib/records/session/factors-service";

export const POST = handle(startTotp, factors.startTotp);
export const DELETE = handle(deleteTotp, factors.removeOwnTotp);
