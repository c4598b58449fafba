import { Pencil } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { deferredComponent } from "@/components/ui/deferred-component";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import type { PresetAddress } from "./preset-queries";

const EditPresetDialog = deferredComponent(() =>
  import("./edit-preset-dialog").then((module) => module.EditPresetDialog),
);

export function EditPreset(props: { preset: PresetWithVersion; address: PresetAddress }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Pencil aria-hidden /> Edit
      </Button>
      <EditPresetDialog {...props} open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
