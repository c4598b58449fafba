import { createContext, use, useId, type KeyboardEvent, type ReactNode } from "react";

export interface TabItem<Value extends string> {
  value: Value;
  label: ReactNode;
  count?: number | undefined;
}

interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  items: readonly TabItem<Value>[];
  /** A `TabPanel` for each item. */
  children?: ReactNode;
}

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const Chosen = createContext({ id: "", value: "" });
const tabId = (id: string, value: string) => `${id}tab-${value}`;
const panelId = (id: string, value: string) => `${id}panel-${value}`;

/** Views of the same thing, one at a time: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ with automatic activation. */
export function Tabs<Value extends string>({ label, value, onChange, items, children }: TabsProps<Value>) {
  const id = useId();
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const index = step(
      items.findIndex((item) => item.value === value),
      items.length,
    );
    const item = items[index];
    if (!item) return;
    onChange(item.value);
    (event.currentTarget.children[index] as HTMLElement).focus();
  };
  return (
    <Chosen value={{ id, value }}>
      <div className="grid min-w-0 gap-4">
        <div role="tablist" aria-label={label} onKeyDown={move} className="flex gap-1 overflow-x-auto border-b">
          {items.map((item) => {
            const isChosen = item.value === value;
            return (
              <button
                key={item.value}
                type="button"
                role="tab"
                id={tabId(id, item.value)}
                aria-selected={isChosen}
                aria-controls={isChosen ? panelId(id, item.value) : undefined}
                tabIndex={isChosen ? 0 : -1}
                onClick={() => onChange(item.value)}
                className="-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 text-muted hover:text-foreground focus-visible:-outline-offset-2 aria-selected:border-primary aria-selected:font-medium aria-selected:text-foreground"
              >
                {item.label}
                {item.count !== undefined && (
                  <span className="rounded-full bg-subtle-strong px-1.5 text-xs text-muted tabular-nums">
                    {item.count}
                  </span>
                )}
              </button>
            );
          })}
        </div>
        {children}
      </div>
    </Chosen>
  );
}

/** What a tab shows; stands inside `Tabs`. */
export function TabPanel({ value, children }: { value: string; children: ReactNode }) {
  const chosen = use(Chosen);
  if (value !== chosen.value) return null;
  return (
    <div
      role="tabpanel"
      id={panelId(chosen.id, value)}
      aria-labelledby={tabId(chosen.id, value)}
      tabIndex={0}
      className="min-w-0 outline-offset-4"
    >
      {children}
    </div>
  );
}
