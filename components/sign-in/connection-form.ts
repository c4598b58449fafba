import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { useEditForm } from "@/components/form/use-edit-form";
import { toast } from "@/components/ui/toast";
import { type SignInConnection, UpdateSignInConnectionBody } from "@/lib/records/sign-in-connections/contract";
import { useUpdateConnection } from "./connection-queries";

export type ConnectionValues = z.input<typeof UpdateSignInConnectionBody>;
export type ConnectionForm = ReturnType<typeof useConnectionForm>;

const checkBody = formResolver(UpdateSignInConnectionBody);

/** Returns the properties of a `MutationForm` for some fields of a connection. */
export function useConnectionForm(
  connection: SignInConnection,
  valuesOf: (connection: SignInConnection) => ConnectionValues,
) {
  const mutation = useUpdateConnection(connection.id);
  const edit = useEditForm({
    resolver: checkBody,
    stored: connection,
    valuesOf,
    onSaved: () => toast.success("Identity provider saved"),
  });
  return { ...edit, mutation };
}
