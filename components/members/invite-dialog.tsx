"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { useRoleOptions } from "@/components/roles/role-queries";
import { useMay } from "@/components/session/user-context";
import { Dialog } from "@/components/ui/dialog";
import { CreateMemberBody } from "@/lib/records/members/contract";
import { useInviteMember } from "./member-queries";
import { OneTimeLink } from "./one-time-link";

const checkBody = formResolver(CreateMemberBody);

interface Invited {
  email: string;
  url: string;
  isEmailed: boolean;
}

/** Two steps: the member's details, then the invitation link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [invited, setInvited] = useState<Invited | null>(null);
  const finish = () => {
    setInvited(null);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && finish()}
      isDismissible={invited === null}
      title={invited ? "Invitation created" : "Invite member"}
      description={
        invited ? "This link is shown only once." : "Creates a one-time link with which the member sets a password."
      }
    >
      {invited ? (
        <OneTimeLink label="Invitation link" {...invited} onDone={finish} />
      ) : (
        <InviteForm onInvited={setInvited} onCancel={onClose} />
      )}
    </Dialog>
  );
}

function InviteForm({ onInvited, onCancel }: { onInvited: (invited: Invited) => void; onCancel: () => void }) {
  const invitation = useInviteMember();
  const canChooseRole = useMay("roles:write");
  const roles = useRoleOptions();
  const form = useForm<z.input<typeof CreateMemberBody>>({
    resolver: checkBody,
    defaultValues: { email: "", first_name: null, last_name: null, role: "org:member" },
  });
  const { control } = form;
  return (
    <MutationForm
      form={form}
      mutation={invitation}
      onSaved={({ data, invite_url = "", emailed }) =>
        onInvited({ email: data.email, url: invite_url, isEmailed: emailed })
      }
      action="Create invitation"
      onCancel={onCancel}
    >
      <TextField control={control} name="email" label="Email" input={{ type: "email", autoComplete: "off" }} />
      {canChooseRole && <SelectField control={control} name="role" label="Role" options={roles} />}
    </MutationForm>
  );
}
