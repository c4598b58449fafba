import type { z } from "zod";
import type { UpdateProviderBody } from "@/lib/records/providers/contract";

/** Values of a provider's form. */
export type ProviderValues = z.input<typeof UpdateProviderBody>;
