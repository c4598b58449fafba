"use client";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { FilterBar, type FilterDefinition } from "@/components/layout/filter-bar";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DataTable, DataTableSkeleton, type Column } from "@/components/ui/data-table";
import { Menu, MenuItem } from "@/components/ui/menu";
import { TextLink } from "@/components/ui/text-link";
import { toast } from "@/components/ui/toast";
import { formatUsd } from "@/components/ui/usd";

interface Sample {
  id: string;
  name: string;
  cost: number;
  region: string;
}

const ROWS: Sample[] = ["Amber", "Blue", "Copper", "Denim", "Ember"].map((name, index) => ({
  id: `row-${index}`,
  name,
  cost: index * 1.25,
  region: index % 2 ? "eu" : "us",
}));

const COLUMNS: Column<Sample>[] = [
  { id: "name", header: "Name", sortKey: "name", cell: ({ name }) => <TextLink href="/design">{name}</TextLink> },
  { id: "region", header: "Region", cell: ({ region }) => region },
  { id: "id", header: "Id", isHiddenAtFirst: true, cell: ({ id }) => id },
  { id: "cost", header: "Cost", sortKey: "cost", align: "right", cell: ({ cost }) => formatUsd(cost) },
  {
    id: "actions",
    header: "Actions",
    isControl: true,
    cell: ({ name }) => (
      <Menu
        trigger={
          <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${name}`}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem>Rename</MenuItem>
      </Menu>
    ),
  },
];

const FILTERS: FilterDefinition[] = [
  {
    key: "status",
    label: "Status",
    kind: "options",
    isMultiple: true,
    options: ["Answered", "Blocked", "Failed"].map((label) => ({ value: label.toLowerCase(), label })),
  },
  {
    key: "model",
    label: "Model",
    kind: "options",
    options: Array.from({ length: 30 }, (_, index) => ({ value: `model-${index}`, label: `Model ${index}` })),
  },
  { key: "app", label: "Application", kind: "text" },
  { key: "cost", label: "Cost from", kind: "amount" },
  { key: "key", label: "Key", kind: "text" },
];

export function ListSamples() {
  const [sort, setSort] = useState<string | null>("name");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(["row-1"]));
  const [hidden, setHidden] = useState<string[]>(["id"]);
  const [search, setSearch] = useState<string | null>(null);
  const [values, setValues] = useState<Record<string, string[] | string | null>>({ status: ["blocked"] });
  return (
    <Card id="lists" title="Lists" className="grid gap-4">
      <FilterBar
        search={{ label: "Search names", value: search, onChange: setSearch }}
        filters={FILTERS}
        values={values}
        onChange={(key, value) => setValues({ ...values, [key]: value })}
        onClear={() => {
          setSearch(null);
          setValues({});
        }}
      />
      <DataTable
        label="Samples"
        columns={COLUMNS}
        rows={ROWS.filter(({ name }) => name.toLowerCase().includes(search?.toLowerCase() ?? ""))}
        rowKey={({ id }) => id}
        sort={{ value: sort, onChange: setSort }}
        selection={{
          selected,
          onChange: setSelected,
          nameOf: ({ name }) => name,
          canSelect: ({ name }) => name !== "Denim",
        }}
        chooser={{ hidden, onChange: setHidden }}
        onOpen={({ name }) => toast.success(`${name} opened`)}
      />
      <DataTableSkeleton columns={COLUMNS} rows={2} />
    </Card>
  );
}
