import { handle } from "@/lib/server/handle";
import { resetSecondFactor } from "@/lib/records/members/contract";
import * as members from "@/lib/records/members/service";

export const DELETE = handle(resetSecondFactor, members.resetSecondFactor);
