import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** Empty list because of its filters; the text says what they cover. */
export const NoResults = ({ onClear, children }: { onClear: () => void; children: ReactNode }) => (
  <EmptyState icon={SearchX} title="No results" action={<Button onClick={onClear}>Clear all filters</Button>}>
    {children}
  </EmptyState>
);
