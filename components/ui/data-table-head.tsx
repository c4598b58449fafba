import { ArrowDown, ArrowUp, ChevronsUpDown, Columns3 } from "lucide-react";
import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import { Button } from "./button";
import { Checkbox } from "./checkbox";
import { cn } from "./class-names";
import { ColumnChooser } from "./column-chooser";
import type { Column, DataTableProps, TableModel } from "./data-table-model";
import type { ColumnWidths } from "./use-column-widths";

interface DataTableHeadProps<Row> extends DataTableProps<Row> {
  table: TableModel<Row>;
  isSticky: boolean;
}

export function DataTableHead<Row>({
  table,
  columns,
  sort,
  chooser,
  selection,
  resize,
  isSticky,
}: DataTableHeadProps<Row>) {
  return (
    <thead role="rowgroup" className={cn("hidden md:table-header-group", isSticky && "md:sticky md:top-13 md:z-20")}>
      <tr role="row">
        {selection && (
          <th role="columnheader" scope="col" className={cn(headStyle, "w-px py-0 pr-0")}>
            <SelectAll {...table.selectsAll} isLabelHidden />
          </th>
        )}
        {table.visible.map((column, index) => {
          const isWithChooser = chooser !== undefined && index === table.visible.length - 1;
          const sorted = table.directionOf(column);
          return (
            <th
              key={column.id}
              role="columnheader"
              scope="col"
              aria-sort={sorted}
              data-column={column.id}
              style={widthOf(resize?.widths[column.id])}
              className={cn(
                headStyle,
                column.align === "right" && "text-right",
                column.className,
                isWithChooser && "pr-10",
                (isWithChooser || resize) && "relative",
              )}
            >
              {sort && column.sortKey !== undefined ? (
                <SortButton column={column} sorted={sorted} onPress={() => table.toggleSort(column)} />
              ) : (
                <span className={column.isControl ? "sr-only" : undefined}>{column.header}</span>
              )}
              {resize && !isWithChooser && (
                <ColumnResizer id={column.id} header={column.header} {...resize} isFirst={index === 0} />
              )}
              {isWithChooser && (
                <ColumnChooser
                  columns={columns}
                  {...chooser}
                  trigger={
                    <Button variant="ghost" size="icon-sm" className="absolute top-1 right-2" aria-label="Columns">
                      <Columns3 aria-hidden />
                    </Button>
                  }
                />
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** A chosen width overrides the column's own limits. */
const widthOf = (width: number | undefined) => (width === undefined ? undefined : { width, maxWidth: "none" });

const headStyle =
  "h-9 border-b bg-[color-mix(in_oklab,var(--subtle)_50%,var(--surface))] px-4 text-xs text-left font-medium whitespace-nowrap text-muted md:first:rounded-tl-lg md:last:rounded-tr-lg";

const DIRECTION_ICONS = { ascending: ArrowUp, descending: ArrowDown };

function SortButton<Row>({
  column,
  sorted,
  onPress,
}: {
  column: Column<Row>;
  sorted: "ascending" | "descending" | undefined;
  onPress: () => void;
}) {
  const Icon = sorted ? DIRECTION_ICONS[sorted] : ChevronsUpDown;
  return (
    <button
      type="button"
      onClick={onPress}
      className={cn(
        "-mx-1.5 inline-flex h-7 items-center gap-1 rounded-md px-1.5 hover:bg-subtle hover:text-foreground",
        sorted && "text-foreground",
        column.align === "right" && "flex-row-reverse",
      )}
    >
      {column.header}
      <Icon aria-hidden className={cn("size-3.5", !sorted && "opacity-60")} />
    </button>
  );
}

export const SelectAll = ({
  isLabelHidden = false,
  ...all
}: TableModel<never>["selectsAll"] & { isLabelHidden?: boolean }) => (
  <Checkbox label="Select all on this page" isLabelHidden={isLabelHidden} {...all} />
);

const LEAST_WIDTH = 64;
const MOST_WIDTH = 1200;
const STEP = 16;

interface ColumnResizerProps {
  id: string;
  header: string;
  widths: ColumnWidths;
  onChange: (widths: ColumnWidths) => void;
  isFirst: boolean;
}

/** Current widths of all columns, so that the other columns keep theirs. */
const measured = (handle: HTMLElement): Record<string, number> =>
  Object.fromEntries(
    [...(handle.closest("tr")?.querySelectorAll<HTMLElement>("th[data-column]") ?? [])].map((cell) => [
      cell.dataset["column"] ?? "",
      Math.round(cell.getBoundingClientRect().width),
    ]),
  );

/**
 * Handle at the right edge of a column's header. Drag it or press Left and Right; Up and Down move to the other columns' handles,
 * which share one tab stop. A double click restores all widths.
 */
function ColumnResizer({ id, header, widths, onChange, isFirst }: ColumnResizerProps) {
  const dragged = useRef<{ x: number; widths: Record<string, number> } | null>(null);
  const resize = (from: Record<string, number>, by: number) =>
    onChange({ ...from, [id]: Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, (from[id] ?? LEAST_WIDTH) + by)) });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined && step === undefined) return;
    event.preventDefault();
    // Prefers chosen widths to measured ones: the table shows them a moment later.
    if (by !== undefined) resize(id in widths ? widths : measured(event.currentTarget), by);
    else {
      const handles = [...(event.currentTarget.closest("tr")?.querySelectorAll<HTMLElement>("[role=separator]") ?? [])];
      handles[handles.indexOf(event.currentTarget) + (step ?? 0)]?.focus();
    }
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = { x: event.clientX, widths: measured(event.currentTarget) };
  };
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${header}`}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={MOST_WIDTH}
      aria-valuenow={widths[id] ?? LEAST_WIDTH}
      tabIndex={isFirst ? 0 : -1}
      className="absolute inset-y-1 right-0 z-10 w-2 cursor-col-resize touch-none rounded-sm border-r border-transparent hover:border-border-strong focus-visible:border-accent"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX }) => {
        if (dragged.current) resize(dragged.current.widths, clientX - dragged.current.x);
      }}
      onPointerUp={() => {
        dragged.current = null;
      }}
      onDoubleClick={() => onChange({})}
    />
  );
}
