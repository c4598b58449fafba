"use client";
import { lazyComponent } from "@/components/ui/lazy-component";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";

const ModelForm = lazyComponent(() => import("./model-form").then((file) => file.ModelForm), {
  loading: () => <Skeleton className="h-96 w-full" />,
});

export function NewModel({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <SideSheet open={open} onClose={onClose} title="Add model">
      <ModelForm model={null} onDone={onClose} />
    </SideSheet>
  );
}
