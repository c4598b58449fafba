import { endException, getException } from "@/lib/records/exceptions/contract";
import * as exceptions from "@/lib/features/exceptions/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getException, exceptions.get);
export const DELETE = handle(endException, exceptions.end);
