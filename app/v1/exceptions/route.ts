import { createException, listExceptions } from "@/lib/exceptions/contract";
import * as exceptions from "@/lib/exceptions/service";
import { handle } from "@/lib/http/handle";

export const GET = handle(listExceptions, exceptions.list);
export const POST = handle(createException, exceptions.create);
