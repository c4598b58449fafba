import type { ReactNode } from "react";
import { relativeLabel } from "@/components/time-range/time-range";
import type { Column } from "@/components/ui/data-table";
import { Select } from "@/components/ui/select";
import { RANGES, type Range } from "@/lib/records/generations/vocabulary";
import type { RangeSpend } from "@/lib/records/generations/spend-contract";
import { Spend } from "./spend";

const lengthOf = (range: Range) => relativeLabel(range).replace("Last ", "");

/** Column of keys or members with what they spent in a range, and `below` it another figure. */
export const rangeSpendColumn = <Row extends { range_spend?: RangeSpend | undefined }>(
  range: Range,
  hasSpend: (row: Row) => boolean = () => true,
  below: (row: Row) => ReactNode = () => null,
): Column<Row> => ({
  id: "range_spend",
  header: `Spend, ${lengthOf(range)}`,
  sortKey: "range_spend",
  isDescendingFirst: true,
  align: "right",
  cell: (row) =>
    row.range_spend && hasSpend(row) ? (
      <div>
        <Spend {...row.range_spend} />
        {below(row)}
      </div>
    ) : (
      <span className="text-muted">–</span>
    ),
});

/** Range of the spend in a list. */
export const SpendRangeSelect = ({ value, onChange }: { value: Range; onChange: (range: Range) => void }) => (
  <label className="flex items-center gap-2 text-[13px] whitespace-nowrap text-muted">
    Spend in
    <Select
      aria-label="Spend in"
      className="w-36 text-foreground"
      value={value}
      onValueChange={onChange}
      options={RANGES.map((range) => ({ value: range, label: relativeLabel(range) }))}
    />
  </label>
);
