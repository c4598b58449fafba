import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { Menu } from "./menu";

/** Menu of a row's actions, above the link that covers the row. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon-sm" className="relative z-10 text-muted" aria-label={`Actions for ${name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {children}
    </Menu>
  );
}
