import { useQuery } from "@tanstack/react-query";
import { useController, type Control } from "react-hook-form";
import { SwitchField } from "@/components/form/switch-field";
import { sessionQuery } from "@/components/session/session-queries";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import type { GuardrailValues } from "./guardrail-values";
import { zdrGroups } from "./zdr-groups";

export function ZdrSection({ control }: { control: Control<GuardrailValues> }) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <>
      {session ? (
        <div className="grid gap-x-4 @md:grid-cols-2">
          {zdrGroups(session.zdr_vendors).map(({ field, name }) => (
            <SwitchField key={field} control={control} name={field} label={`Models from ${name}`} />
          ))}
        </div>
      ) : (
        <Skeleton className="h-14" />
      )}
      <DeprecatedSetting control={control} />
    </>
  );
}

/** The deprecated all-vendors setting, shown for guardrails that still have it. */
function DeprecatedSetting({ control }: { control: Control<GuardrailValues> }) {
  const { field } = useController({ control, name: "enforce_zdr" });
  if (field.value === null) return null;
  return (
    <div className="py-3">
      <Alert
        kind="info"
        title="Uses the deprecated all-vendors setting"
        action={
          <Button size="sm" onClick={() => field.onChange(null)}>
            Remove deprecated setting
          </Button>
        }
      >
        It is stored as {field.value ? "on" : "off"}. The four settings above apply and keep their values.
      </Alert>
    </div>
  );
}
