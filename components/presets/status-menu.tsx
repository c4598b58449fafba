"use client";
import { ChevronDown } from "lucide-react";
import { toast } from "sonner";
import { Button } from "@/components/ui/button";
import { Menu, MenuRadioGroup, MenuRadioItem } from "@/components/ui/menu";
import { toFailure } from "@/lib/browser/api-failure";
import { PRESET_STATUSES, type Preset } from "@/lib/presets/contract";
import { useUpdatePreset } from "./preset-queries";
import { PresetStatus } from "./preset-status";

export function StatusMenu({ preset }: { preset: Preset }) {
  const change = useUpdatePreset(preset);
  const choose = (value: string) => {
    const status = PRESET_STATUSES.find((candidate) => candidate === value);
    if (!status || status === preset.status) return;
    change.mutate(
      { status },
      {
        onSuccess: () => toast.success(`“${preset.name}” is ${status} now`),
        onError: (error) => toast.error("The status was not changed", { description: toFailure(error).message }),
      },
    );
  };
  return (
    <Menu
      trigger={
        <Button disabled={change.isPending}>
          Status <ChevronDown aria-hidden />
        </Button>
      }
    >
      <MenuRadioGroup value={preset.status} onValueChange={choose}>
        {PRESET_STATUSES.map((status) => (
          <MenuRadioItem key={status} value={status}>
            <PresetStatus status={status} />
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </Menu>
  );
}
