import { Button } from "@/components/ui/button";

/** Shows live rows that are held back while the user has scrolled down. */
export const NewRowsButton = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <div className="sticky top-16 z-30 flex h-0 justify-center">
    <Button
      variant="primary"
      size="sm"
      className="rounded-full shadow-md"
      onClick={() => {
        onShow();
        // Measuring the new rows moves the page once more.
        requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo({ top: 0 })));
      }}
    >
      {count} new
    </Button>
  </div>
);
