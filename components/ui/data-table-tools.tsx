import { Columns3 } from "lucide-react";
import { Button } from "./button";
import { ColumnChooser } from "./column-chooser";
import { SelectAll } from "./data-table-head";
import type { DataTableProps, TableModel } from "./data-table-model";
import { Select } from "./select";

const OWN_ORDER = "own";

/** Sorting, columns and select-all above the cards on a phone, where the header is hidden. Folds with the list's filters. */
export function DataTableTools<Row>({
  table,
  columns,
  rows,
  sort,
  selection,
  chooser,
}: DataTableProps<Row> & { table: TableModel<Row> }) {
  const sortable = sort ? columns.filter(({ sortKey }) => sortKey !== undefined) : [];
  const isForPhones = sortable.length > 0 || selection !== undefined;
  if (!chooser && !isForPhones) return null;
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2 folds-away:hidden md:hidden">
      {selection && rows.length > 0 && (
        <span className="pl-4">
          <SelectAll {...table.selectsAll} />
        </span>
      )}
      <div className="ml-auto flex items-center gap-2">
        {sort && sortable.length > 0 && (
          <Select
            aria-label="Sort"
            className="w-auto"
            value={sort.value ?? OWN_ORDER}
            onValueChange={(value) => sort.onChange(value === OWN_ORDER ? null : value)}
            options={[
              { value: OWN_ORDER, label: "Default" },
              ...sortable.flatMap(({ header, sortKey = "" }) => [
                { value: sortKey, label: `${header}, ascending` },
                { value: `-${sortKey}`, label: `${header}, descending` },
              ]),
            ]}
          />
        )}
        {chooser && (
          <ColumnChooser
            columns={columns}
            {...chooser}
            trigger={
              <Button>
                <Columns3 aria-hidden /> Columns
              </Button>
            }
          />
        )}
      </div>
    </div>
  );
}
