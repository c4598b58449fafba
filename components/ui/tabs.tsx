"use client";
import { Tabs as Primitive } from "radix-ui";
import { useEffect, useRef, type ReactNode } from "react";
import { cn } from "./class-names";
import { edgeFadeStyle, useEdgeFade } from "./use-edge-fade";

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
  /** Keeps the list in view while a scrolling parent moves its panel. */
  isListSticky?: boolean;
  /** Makes room for five tabs with counts in a narrow column. */
  isCompact?: boolean;
  /** A `TabPanel` for each item. */
  children?: ReactNode;
}

/** Tabs with one visible panel. */
export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  items,
  isListSticky,
  isCompact,
  children,
}: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  useEdgeFade(list);
  // On a phone, more tabs than fit scroll sideways.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>("[data-state=active]");
    if (tab && list.current)
      list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [value]);
  return (
    <Primitive.Root value={value} onValueChange={(next) => onChange(next as Value)} className="grid min-w-0 gap-4">
      <Primitive.List
        ref={list}
        aria-label={label}
        className={cn(
          "flex gap-0.5 overflow-x-auto border-b",
          edgeFadeStyle,
          isListSticky ? "sticky top-0 z-10 bg-background" : "relative",
        )}
      >
        {items.map((item) => (
          <Primitive.Trigger
            key={item.value}
            value={item.value}
            className={cn(
              "-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2 text-muted hover:text-foreground focus-visible:-outline-offset-2 data-[state=active]:border-primary data-[state=active]:font-medium data-[state=active]:text-foreground",
              isCompact && "max-2xl:gap-1 max-2xl:px-1.5 max-2xl:text-[13px]",
            )}
          >
            {item.label}
            {item.count !== undefined && (
              <span className="rounded-full bg-subtle-strong px-1.5 text-xs text-muted tabular-nums">
                {item.count.toLocaleString("en")}
              </span>
            )}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {children}
    </Primitive.Root>
  );
}

interface TabPanelProps {
  value: string;
  /** Keeps the panel mounted, and with it its state, while another tab is shown. */
  isKept?: boolean;
  children: ReactNode;
}

/** The content of one tab, inside `Tabs`. */
export function TabPanel({ value, isKept, children }: TabPanelProps) {
  return (
    <Primitive.Content
      value={value}
      {...(isKept && { forceMount: true })}
      className="min-w-0 outline-offset-4 data-[state=inactive]:hidden"
    >
      {children}
    </Primitive.Content>
  );
}
