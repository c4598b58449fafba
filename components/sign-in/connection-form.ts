import { useForm } from "react-hook-form";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { toast } from "@/components/ui/toast";
import { type SignInConnection, UpdateSignInConnectionBody } from "@/lib/records/sign-in-connections/contract";
import { useUpdateConnection } from "./connection-queries";

export type ConnectionValues = z.input<typeof UpdateSignInConnectionBody>;

const checkBody = formResolver(UpdateSignInConnectionBody);

/** Returns the properties of a `MutationForm` for some fields of a connection. */
export function useConnectionForm(
  connection: SignInConnection,
  valuesOf: (connection: SignInConnection) => ConnectionValues,
) {
  const mutation = useUpdateConnection(connection.id);
  const form = useForm({
    resolver: checkBody,
    values: valuesOf(connection),
    resetOptions: { keepDirtyValues: true },
  });
  const onSaved = ({ data }: { data: SignInConnection }) => {
    form.reset(valuesOf(data), { keepDirtyValues: false });
    toast.success("Identity provider saved");
  };
  return { form, mutation, onSaved, isEdit: true, isGuarded: true };
}
