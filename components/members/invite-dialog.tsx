"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { useRoleOptions } from "@/components/roles/role-queries";
import { sessionQuery, signInOptionsQuery } from "@/components/session/session-queries";
import { useMay } from "@/components/session/user-context";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CreateMemberBody } from "@/lib/records/members/contract";
import { useInviteMember } from "./member-queries";
import { OneTimeLink } from "./one-time-link";

const checkBody = formResolver(CreateMemberBody);

interface Invited {
  email: string;
  /** Null for a member who signs in with an identity provider. */
  url: string | null;
  isEmailed: boolean;
}

/** Two steps: the member's details, then the invitation link, or that of the sign-in page if passwords are off. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [invited, setInvited] = useState<Invited | null>(null);
  const hasPasswords = useQuery(sessionQuery).data?.password_sign_in !== "break_glass_only";
  const isLink = invited && invited.url !== null;
  const finish = () => {
    setInvited(null);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && finish()}
      isDismissible={!isLink}
      title={invited ? (isLink ? "Invitation created" : "Member added") : "Invite member"}
      description={
        invited ? (
          isLink && "This link is shown only once."
        ) : hasPasswords ? (
          "Creates a one-time link with which the member sets a password."
        ) : (
          <ProviderNote />
        )
      }
    >
      {invited ? (
        invited.url === null ? (
          <SignInLink {...invited} onDone={finish} />
        ) : (
          <OneTimeLink label="Invitation link" {...invited} url={invited.url} onDone={finish} />
        )
      ) : (
        <InviteForm hasPasswords={hasPasswords} onInvited={setInvited} onCancel={onClose} />
      )}
    </Dialog>
  );
}

function ProviderNote() {
  const connections = useQuery(signInOptionsQuery).data?.data.connections ?? [];
  const names = connections.map(({ name }) => name).join(" or ");
  return <>They sign in with {names || "your identity provider"}.</>;
}

/** Shows where a member without a password signs in. */
const SignInLink = ({ email, isEmailed, onDone }: Invited & { onDone: () => void }) => (
  <div className="grid gap-4">
    <p className="text-muted">
      <ProviderNote />
    </p>
    <CodeBlock label="Sign-in page" text={new URL("/sign-in", window.location.origin).href} wraps />
    <Alert
      kind={isEmailed ? "info" : "warning"}
      title={
        isEmailed
          ? `The sign-in page was emailed to ${email}.`
          : `Send the sign-in page to ${email} yourself: this server has no mail server.`
      }
    />
    <DialogActions>
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    </DialogActions>
  </div>
);

interface InviteFormProps {
  hasPasswords: boolean;
  onInvited: (invited: Invited) => void;
  onCancel: () => void;
}

function InviteForm({ hasPasswords, onInvited, onCancel }: InviteFormProps) {
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
      onSaved={({ data, invite_url = null, emailed }) =>
        onInvited({ email: data.email, url: invite_url, isEmailed: emailed })
      }
      action={hasPasswords ? "Create invitation" : "Add member"}
      onCancel={onCancel}
    >
      <TextField control={control} name="email" label="Email" input={{ type: "email", autoComplete: "off" }} />
      {canChooseRole && <SelectField control={control} name="role" label="Role" options={roles} />}
    </MutationForm>
  );
}
