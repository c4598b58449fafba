import { Pencil } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import type { PresetAddress } from "./preset-queries";

const EditPresetDialog = lazyComponent(() => import("./edit-preset-dialog").then((file) => file.EditPresetDialog));

export function EditPreset(props: { preset: PresetWithVersion; address: PresetAddress }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Pencil aria-hidden /> Edit details
      </Button>
      {isOpen && <EditPresetDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
