"use client";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Workspace } from "@/lib/records/workspaces/contract";
import { useUpdateWorkspace } from "./settings-queries";

/** Turns the storing of content on or off at once; while it is saved it shows what was chosen. */
export function LoggingSwitch({ workspace: { id, name, content_logging } }: { workspace: Workspace }) {
  const update = useUpdateWorkspace();
  const shown = update.isPending ? (update.variables.body?.content_logging ?? content_logging) : content_logging;
  const change = (isOn: boolean) =>
    update.mutate(
      { id, body: { content_logging: isOn } },
      {
        onSuccess: () =>
          toast.success(
            isOn ? `“${name}” stores content from now on` : `“${name}” stores no new content`,
            isOn ? {} : { description: "What is stored already stays until its retention ends." },
          ),
        onError: (error) => toast.error(`“${name}” could not be changed`, { description: toFailure(error).message }),
      },
    );
  return (
    <Switch
      className="relative z-10"
      aria-label={`Store content of ${name}`}
      checked={shown}
      disabled={update.isPending}
      onChange={change}
    />
  );
}
