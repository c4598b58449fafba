import { handOverMember } from "@/lib/records/members/hand-over-contract";
import { handOver } from "@/lib/records/members/hand-over-service";
import { handle } from "@/lib/server/handle";

export const POST = handle(handOverMember, handOver);
