interface OptionNotesProps {
  total: number;
  shown: number;
  isFetching: boolean;
  text: string;
}

/** Text instead of options. */
export const NoOptions = ({ isFetching, text }: Pick<OptionNotesProps, "isFetching" | "text">) => (
  <p className="py-2 text-center text-sm text-muted">
    {isFetching ? "Searching…" : text === "" ? "No options yet" : "No results"}
  </p>
);

/** Says that there are more options than shown. */
export const MoreOptions = ({ total, shown }: Pick<OptionNotesProps, "total" | "shown">) =>
  total > shown ? <p className="px-1 py-1 text-xs text-muted">{total - shown} more: search to narrow</p> : null;
