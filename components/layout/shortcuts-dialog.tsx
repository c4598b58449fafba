import { Fragment } from "react";
import { useUser } from "@/components/session/user-context";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { destinationsFor } from "./navigation";

type Shortcut = readonly [keys: readonly string[], action: string];

const EVERYWHERE: readonly Shortcut[] = [
  [["?"], "Show keyboard shortcuts"],
  [["Ctrl", "K"], "Search the console"],
  [["F8"], "Focus notifications"],
];

const IN_LISTS: readonly Shortcut[] = [
  [["J"], "Next row, or older generation"],
  [["K"], "Previous row, or newer generation"],
  [["Enter"], "Open the focused row"],
  [["Esc"], "Close"],
];

/** List of keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { permissions } = useUser();
  const pages = destinationsFor(permissions).flatMap(({ label, shortcut }): Shortcut[] =>
    shortcut ? [[["G", shortcut.toUpperCase()], label]] : [],
  );
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Keyboard shortcuts"
      description="Keys pressed one after the other, outside of text fields."
      className="max-w-2xl"
    >
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <Section title="Go to" shortcuts={pages} />
        <div className="grid content-start gap-5">
          <Section title="Everywhere" shortcuts={EVERYWHERE} />
          <Section title="Generations" shortcuts={IN_LISTS} />
        </div>
      </div>
    </Dialog>
  );
}

const Section = ({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) => (
  <section className="grid content-start gap-2">
    <h3 className="text-[13px] font-medium text-muted">{title}</h3>
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2">
      {shortcuts.map(([keys, action]) => (
        <Fragment key={action}>
          <dt>{action}</dt>
          <dd className="flex justify-end gap-1">
            {keys.map((key, index) => (
              <Kbd key={index}>{key}</Kbd>
            ))}
          </dd>
        </Fragment>
      ))}
    </dl>
  </section>
);
