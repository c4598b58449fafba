"use client";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Workspace } from "@/lib/records/workspaces/contract";
import { useUpdateWorkspace } from "./settings-queries";

/** Turns content logging on or off, with an optimistic update. */
export function LoggingSwitch({ workspace: { id, name, content_logging } }: { workspace: Workspace }) {
  const update = useUpdateWorkspace();
  const shown = update.isPending ? (update.variables.body?.content_logging ?? content_logging) : content_logging;
  const change = (isOn: boolean) =>
    update.mutate(
      { id, body: { content_logging: isOn } },
      {
        onSuccess: () =>
          toast.success(
            isOn ? `Content logging enabled for “${name}”` : `Content logging disabled for “${name}”`,
            isOn ? {} : { description: "Stored content is kept until its retention period ends." },
          ),
        onError: (error) => toast.error(`Couldn't update “${name}”`, { description: toFailure(error).message }),
      },
    );
  return (
    <Switch
      className="relative z-10"
      aria-label={`Content logging for ${name}`}
      checked={shown}
      disabled={update.isPending}
      onChange={change}
    />
  );
}
