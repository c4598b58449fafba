import { Plug } from "lucide-react";
import { useFormContext, useWatch } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { showFailure } from "@/components/form/show-failure";
import { Button } from "@/components/ui/button";
import { toFailure } from "@/lib/browser/api-failure";
import { TestConnectionBody } from "@/lib/records/providers/contract";
import { ConnectionOutcome } from "./connection-outcome";
import { withoutBlankCredentials } from "./kind-fields";
import type { ProviderValues } from "./provider-values";
import { useTestNewProvider } from "./provider-queries";

const FIELDS = ["base_url", "kind", "protocol", "settings", "credentials", "api_key", "headers"] as const;

/** The part of the values that decides the connection. */
const connectionOf = (values: ProviderValues): ProviderValues =>
  withoutBlankCredentials(Object.fromEntries(FIELDS.map((field) => [field, values[field] ?? undefined])));

/** Tests the typed settings of a provider that isn't added yet. */
export function UnsavedTest() {
  const form = useFormContext<ProviderValues>();
  const test = useTestNewProvider();
  const values = connectionOf(useWatch({ control: form.control }) as ProviderValues);
  const isCurrent = JSON.stringify(test.variables) === JSON.stringify(values);
  const run = async () => {
    const { success, data } = TestConnectionBody.safeParse(values);
    if (!success) await form.trigger(FIELDS, { shouldFocus: true });
    else test.mutate(values as typeof data, { onError: (error) => showFailure(form, toFailure(error)) });
  };
  return (
    <section aria-label="Connection test" className="grid gap-3 rounded-md border p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-[13px] text-muted">Requests the provider&apos;s list of models. Nothing is saved.</p>
        <Button onClick={() => void run()} disabled={test.isPending}>
          <Plug aria-hidden /> {test.isPending ? "Testing…" : "Test connection"}
        </Button>
      </div>
      <div aria-live="polite" className="grid gap-2 empty:hidden">
        {test.error && <FailureAlert failure={toFailure(test.error)} control={form.control} />}
        {test.data && <ConnectionOutcome {...test.data.data} />}
        {test.data && !isCurrent && (
          <p className="text-[13px] text-warning">The settings have changed since this test.</p>
        )}
      </div>
    </section>
  );
}
