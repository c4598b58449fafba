import { Badge } from "@/components/ui/badge";

export const TagList = ({ tags }: { tags: readonly string[] }) => (
  <span className="flex flex-wrap gap-1">
    {tags.map((tag) => (
      <Badge key={tag} className="h-auto min-h-5 max-w-full whitespace-normal wrap-anywhere">
        {tag}
      </Badge>
    ))}
  </span>
);
