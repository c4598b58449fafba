import { handle } from "@/lib/server/handle";
import { test } from "@/lib/records/providers/connection-test-service";
import { testProvider } from "@/lib/records/providers/contract";

export const POST = handle(testProvider, test);
