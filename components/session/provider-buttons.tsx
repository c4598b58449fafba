import { buttonStyle } from "@/components/ui/button-style";

interface ProviderButtonsProps {
  connections: readonly { id: string; name: string; start_url: string }[];
  /** Page to open after signing in. */
  next: string;
}

/** Links to identity providers. A server route answers them, so the browser loads them as a whole. */
export const ProviderButtons = ({ connections, next }: ProviderButtonsProps) => (
  <div className="grid gap-2">
    {connections.map(({ id, name, start_url }) => (
      <a key={id} href={startAddress(start_url, next)} className={buttonStyle({ className: "h-9" })}>
        Continue with {name}
      </a>
    ))}
  </div>
);

/** Address that starts a sign-in and returns to a page. */
export const startAddress = (startUrl: string, next: string, email?: string): string => {
  const query = new URLSearchParams({ return_to: next, ...(email !== undefined && { email }) });
  return `${startUrl}?${query}`;
};
