import type { z } from "zod";
import type { UpdateProviderBody } from "@/lib/records/providers/contract";

/** Values of the form of a provider. */
export type ProviderValues = z.input<typeof UpdateProviderBody>;
