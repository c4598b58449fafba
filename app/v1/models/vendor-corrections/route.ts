import { handle } from "@/lib/server/handle";
import { dismissVendorCorrections } from "@/lib/records/models/lookup-contract";
import { dismiss } from "@/lib/records/models/vendor-correction-service";

export const DELETE = handle(dismissVendorCorrections, dismiss);
