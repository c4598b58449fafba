import { endException, getException } from "@/lib/exceptions/contract";
import * as exceptions from "@/lib/exceptions/service";
import { handle } from "@/lib/http/handle";

export const GET = handle(getException, exceptions.get);
export const DELETE = handle(endException, exceptions.end);
