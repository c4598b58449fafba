"use client";
import { useForm } from "react-hook-form";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { RecordField } from "@/components/layout/record-field";
import { RECORD_SOURCES } from "@/components/layout/record-sources";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { count } from "@/lib/platform/count";
import { HandOverBody } from "@/lib/records/members/hand-over-contract";
import type { Member } from "@/lib/records/members/contract";
import { memberName } from "./member-name";
import { useHandOver } from "./member-queries";

const checkBody = formResolver(HandOverBody);

/** Gives every key and saved view of a member to another member. */
export function HandOverDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const handOver = useHandOver(member.id);
  const form = useForm<HandOverBody>({ resolver: checkBody, defaultValues: {} });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Hand over what ${memberName(member)} owns`}
      description="Every key and saved view gets a new owner. From then on, that member's guardrails and budgets apply to the keys."
    >
      <MutationForm
        form={form}
        mutation={handOver}
        onSaved={({ data }) => {
          toast.success(`${count(data.keys, "key")} and ${count(data.saved_views, "saved view")} handed over`);
          onClose();
        }}
        action="Hand over"
        onCancel={onClose}
      >
        <RecordField
          control={form.control}
          name="to_user_id"
          label="New owner"
          hint="A management key can only be given to a member who has all of its permissions."
          none="Choose a member"
          source={{
            ...RECORD_SOURCES.user_id,
            find: async (q) => (await RECORD_SOURCES.user_id.find(q)).filter(({ value }) => value !== member.id),
          }}
        />
      </MutationForm>
    </Dialog>
  );
}
