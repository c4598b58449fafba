import { handle } from "@/lib/http/handle";
import { test } from "@/lib/providers/connection-test";
import { testProvider } from "@/lib/providers/contract";

export const POST = handle(testProvider, test);
