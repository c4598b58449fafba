"use client";
import { useQuery } from "@tanstack/react-query";
import { Bookmark, Check, Pencil, Trash2, Users } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Popover } from "@/components/ui/popover";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { SavedView } from "@/lib/records/saved-views/contract";
import { savedViewsQuery, useCreateSavedView, useDeleteSavedView } from "./generation-queries";

const SaveViewDialog = lazyComponent(() => import("./save-view-dialog").then((file) => file.SaveViewDialog));

/** Menu to apply, save, change and delete views. */
export function SavedViewsMenu({ query, onApply }: { query: string; onApply: (query: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [saving, setSaving] = useState<{ view: SavedView | null } | null>(null);
  const toSave = useRef<typeof saving>(null);
  const save = (view: SavedView | null) => {
    toSave.current = { view };
    setOpen(false);
  };
  const openDialog = () => {
    if (toSave.current) setSaving(toSave.current);
    toSave.current = null;
  };
  const apply = (saved: string) => {
    setOpen(false);
    onApply(saved);
  };
  const views = useQuery({ ...savedViewsQuery, enabled: isOpen, select: ({ data }) => data });
  return (
    <>
      <Popover
        label="Saved views"
        align="end"
        open={isOpen}
        onOpenChange={setOpen}
        onClosed={openDialog}
        trigger={
          <Button>
            <Bookmark aria-hidden /> Views
          </Button>
        }
      >
        <div className="grid gap-3">
          {views.isPending ? (
            <p className="text-muted">Loading…</p>
          ) : views.error ? (
            <p className="text-danger">{toFailure(views.error).message}</p>
          ) : (
            <ViewList views={views.data} applied={query} onApply={apply} onEdit={save} />
          )}
          <Button disabled={query === ""} onClick={() => save(null)}>
            Save this view…
          </Button>
          {query === "" && <p className="text-[13px] text-muted">Set a filter to save a view.</p>}
        </div>
      </Popover>
      {saving && <SaveViewDialog view={saving.view} query={query} onClose={() => setSaving(null)} />}
    </>
  );
}

interface ViewListProps {
  views: readonly SavedView[];
  /** Query of the log as it is shown. */
  applied: string;
  onApply: (query: string) => void;
  onEdit: (view: SavedView) => void;
}

function ViewList({ views, applied, onApply, onEdit }: ViewListProps) {
  if (views.length === 0) return <p className="text-muted">No saved views yet.</p>;
  return (
    <ul aria-label="Saved views" className="grid gap-0.5">
      {views.map((view) => (
        <li key={view.id} className="flex items-center gap-1">
          <Button
            variant="ghost"
            className="min-w-0 flex-1 justify-start font-normal"
            aria-current={view.query === applied}
            onClick={() => onApply(view.query)}
          >
            <span className="truncate">{view.name}</span>
            {view.is_shared && (
              <Users role="img" aria-label={`Shared by ${view.owner_name ?? "an API key"}`} className="text-muted" />
            )}
            {view.query === applied && <Check aria-hidden className="ml-auto text-muted" />}
          </Button>
          {view.is_deletable && (
            <>
              <Button variant="ghost" size="icon-sm" aria-label={`Edit view ${view.name}`} onClick={() => onEdit(view)}>
                <Pencil aria-hidden />
              </Button>
              <DeleteView view={view} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Undo saves the view again, owned by the user who deleted it. */
function DeleteView({ view }: { view: SavedView }) {
  const remove = useDeleteSavedView();
  const create = useCreateSavedView();
  const restore = async () => {
    const { name, page, query, is_shared } = view;
    try {
      await create.mutateAsync({ name, page, query, is_shared });
      toast.success(`View “${name}” restored`);
    } catch (error) {
      toast.error("Couldn't restore the view", { description: toFailure(error).message });
    }
  };
  // Not a callback of `mutate`: the button is unmounted by then.
  const removeView = async () => {
    try {
      await remove.mutateAsync(view);
      toast.success(`View “${view.name}” deleted`, { action: { label: "Undo", onClick: () => void restore() } });
    } catch (error) {
      toast.error("Couldn't delete the view", { description: toFailure(error).message });
    }
  };
  return (
    <Button variant="ghost" size="icon-sm" aria-label={`Delete view ${view.name}`} onClick={() => void removeView()}>
      <Trash2 aria-hidden />
    </Button>
  );
}
