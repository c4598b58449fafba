import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { overlayStyle } from "@/components/ui/popup-style";
import { BrandMark } from "./brand";
import { NavLinks } from "./nav-links";
import { WorkspaceSwitcher } from "./workspace-switcher";

export function MobileNavigation({ onClose }: { onClose: () => void }) {
  const canSeeWorkspaces = useMay("workspaces:read");
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayStyle} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-64 flex-col gap-4 border-r bg-surface p-3 shadow-xl data-[state=open]:animate-in data-[state=open]:slide-in-from-left"
        >
          <Dialog.Title className="flex h-9 items-center gap-2 px-1.5 text-base font-semibold">
            <BrandMark />
            Signalbox
          </Dialog.Title>
          {canSeeWorkspaces && <WorkspaceSwitcher onChoose={onClose} />}
          <NavLinks onNavigate={onClose} />
          <Dialog.Close asChild>
            <Button variant="ghost" size="icon" className="absolute top-3.5 right-2" aria-label="Close navigation">
              <X aria-hidden />
            </Button>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
