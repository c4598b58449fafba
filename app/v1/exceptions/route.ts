import { createException, listExceptions } from "@/lib/records/exceptions/contract";
import * as exceptions from "@/lib/features/exceptions/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listExceptions, exceptions.list);
export const POST = handle(createException, exceptions.create);
