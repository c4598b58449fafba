"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Popover } from "@/components/ui/popover";
import { SideSheet } from "@/components/ui/side-sheet";
import { toast } from "@/components/ui/toast";

export function OverlaySamples() {
  const [isAsking, setAsking] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  return (
    <Card id="overlays" title="Overlays" className="flex flex-wrap gap-2">
      <Button onClick={() => toast.success("“Production” saved")}>Toast</Button>
      <Button
        onClick={() =>
          toast.success("12 keys assigned", { action: { label: "Undo", onClick: () => toast.success("Undone") } })
        }
      >
        Toast with undo
      </Button>
      <Button onClick={() => toast.error("Couldn't delete the key", { description: "Can't reach Signalbox" })}>
        Failure toast
      </Button>
      <Button onClick={() => setAsking(true)}>Typed confirmation</Button>
      <Button onClick={() => setSheetOpen(true)}>Side sheet</Button>
      <Popover label="Panel" trigger={<Button>Popover</Button>}>
        Panel content
      </Popover>
      <Menu trigger={<Button>Menu</Button>}>
        <MenuItem>Rename</MenuItem>
        <MenuItem isDestructive>Delete…</MenuItem>
      </Menu>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete “Production”?"
        action="Delete guardrail"
        typed="Production"
        touches="12 keys and 3 members lose this guardrail."
        onConfirm={() => setAsking(false)}
      >
        This can&apos;t be undone.
      </ConfirmDialog>
      <SideSheet
        open={isSheetOpen}
        onClose={() => setSheetOpen(false)}
        title="Generation"
        actions={<Button size="sm">Replay</Button>}
      >
        Sheet content
      </SideSheet>
    </Card>
  );
}
