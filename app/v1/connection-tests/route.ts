import { handle } from "@/lib/server/handle";
import { testNew } from "@/lib/records/providers/connection-test-service";
import { testNewProvider } from "@/lib/records/providers/contract";

export const POST = handle(testNewProvider, testNew);
