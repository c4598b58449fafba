import { useQuery } from "@tanstack/react-query";
import type { Control } from "react-hook-form";
import { SwitchField } from "@/components/form/switch-field";
import { sessionQuery } from "@/components/session/session-queries";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import type { GuardrailValues } from "./guardrail-values";
import { zdrGroups } from "./zdr-groups";

export function ZdrSection({ control }: { control: Control<GuardrailValues> }) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Card
      id="zdr"
      title="Zero data retention"
      description="For models of these vendors, only endpoints are used that keep nothing of a request."
      className="grid gap-1 divide-y py-2"
    >
      {session ? (
        zdrGroups(session.zdr_vendors).map(({ field, name }) => (
          <SwitchField key={field} control={control} name={field} label={`Models of ${name}`} />
        ))
      ) : (
        <Skeleton className="my-2 h-28" />
      )}
    </Card>
  );
}
